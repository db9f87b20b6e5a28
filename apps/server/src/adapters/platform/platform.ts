/** A file that a platform takes: a document in a form that it reads. */
export type PlatformFile = { name: string; content: Uint8Array }
/** What a platform says of documents, as it wrote it. */
export type PlatformAnswer = { name: string; text: string }

/**
 * An approved platform (plateforme agréée) through which invoices reach companies and public bodies. Each one is another
 * implementation of this; a company's files are its own.
 */
export type InvoicingPlatform = {
  deposit(companyId: number, file: PlatformFile): Promise<void>
  /** Companies that it has answered something. */
  companies(): Promise<number[]>
  /** Answers that were not put away yet, in the order of their names. */
  answers(companyId: number): Promise<PlatformAnswer[]>
  /** Keeps an answer that was read; one that could not be is kept with why. */
  putAway(companyId: number, name: string, refusal?: string): Promise<void>
}
