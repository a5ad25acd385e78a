import { homedir, userInfo } from 'node:os';
import { isAbsolute } from 'node:path';

/** The home directory of this user. `HOME` may be set to nothing, or to what would depend on the working directory: then the system knows. */
export const homeDirectory = (): string => (isAbsolute(homedir()) ? homedir() : userInfo().homedir);
