/** Entries of an archive: two for each part of a table, and one for each file of the company. */
export const MAX_ENTRIES = 100_000
/** Text of tables, once unpacked, that one import reads in all, and in one part. */
export const MAX_TABLE_BYTES = 512 * 1024 * 1024
export const MAX_PART_BYTES = 64 * 1024 * 1024
/** Contents of files that one import writes, and of one of them. */
export const MAX_FILE_BYTES = 400 * 1024 * 1024
export const MAX_ONE_FILE_BYTES = 32 * 1024 * 1024
/** Real readings pack about ten times smaller. Small entries may say anything: they cost nothing. */
export const MAX_RATIO = 300
export const SMALL_ENTRY_BYTES = 1024 * 1024
/** Beside what any archive may unpack to, so many times its own size: a small upload stays a small import. */
const FREE_BYTES = 16 * 1024 * 1024
const MAX_TOTAL_RATIO = 50
export const getMaxUnpackedBytes = (archiveBytes: number, maxBytes: number) =>
  Math.min(maxBytes, FREE_BYTES + MAX_TOTAL_RATIO * archiveBytes)
export const MAX_LINE_CHARACTERS = 4 * 1024 * 1024
/** Documents that come in as taken over, each written beside its account. */
export const MAX_DOCUMENTS = 50_000
/** What is given to the database at once. */
export const BATCH_BYTES = 256 * 1024
