/** What is wrong with a copy, or with where it is to go, in a sentence for whoever asked. */
export class CopyFault extends Error {
  override name = 'CopyFault'
}

const MAX_FAILURE_CHARACTERS = 500
/** As it can be stored and read: a sentence may repeat a name that an uploaded archive chose. */
export const shortenFailure = (failure: string): string =>
  failure
    .slice(0, MAX_FAILURE_CHARACTERS)
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
