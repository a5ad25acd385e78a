/** What a key path is, for the description of arguments. */
export const KEY_PATH =
  'Keys and list indexes parted by dots, such as servers.0.name; \\. is a dot inside a key, -1 the last item; a path that starts with / is a JSON Pointer.';

/** What an encoding argument takes. */
export const ENCODING = 'The encoding of the file: utf-8, latin-1, utf-16 and so on.';

/** What a delimiter argument takes. */
export const DELIMITER = 'The character between fields.';
