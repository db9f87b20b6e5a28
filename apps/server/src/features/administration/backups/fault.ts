/** What is wrong with a copy, or with where it is to go, in a sentence for whoever asked. */
export class CopyFault extends Error {
  override name = 'CopyFault'
}
