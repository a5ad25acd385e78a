/** A text for an argument of a list that means itself: what looks like a reference in it is not read as one. */
export const plainText = (text: string): string => text.split('${').join('$${');
