/** The configuration of the house, as actions reach it. */
export interface Configuration {
  /** Takes over what a file says, at an absolute path; answers how many sinks it has. All of it counts from now on, or nothing. */
  apply(path: string): Promise<number>;
  /** Refuses what `apply` would refuse of the file itself, and changes nothing. Left out where that cannot be told. */
  check?(path: string): Promise<void>;
}
