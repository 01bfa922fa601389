/** What malicious texts are made of. */
export interface Bait {
  /** What scripts of the texts run: the sentinel that tells of it. */
  js: string;
  /** Where their requests go: an address that counts them. `http://127.0.0.1:PORT`. */
  url: string;
}
