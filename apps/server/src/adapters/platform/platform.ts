/** A document in a format that the platform accepts. */
export type PlatformFile = { name: string; content: Uint8Array }
/** A status file of a platform, unparsed. */
export type PlatformAnswer = { name: string; text: string }

/**
 * An approved platform (plateforme agréée) through which invoices reach companies and public bodies. Each platform is
 * an implementation of this interface; each company has its own files.
 */
export type InvoicingPlatform = {
  deposit(companyId: number, file: PlatformFile): Promise<void>
  /** Companies with status files to read. */
  companies(): Promise<number[]>
  /** Status files not put away yet, sorted by name. */
  answers(companyId: number): Promise<PlatformAnswer[]>
  /** Moves a processed status file; a refused one is kept with the reason. */
  putAway(companyId: number, name: string, refusal?: string): Promise<void>
}
