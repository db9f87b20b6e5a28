import type { BankColumns } from '@voisol/contract/bank'
import { parseBankFile, previewTable, type TablePreview } from '@voisol/file-formats/bank/bank-file'
import { BankFileRefusedError, type BankMessage } from '@voisol/file-formats/bank/bank-types'
import { FileRefusedError } from '@voisol/file-formats/curve-file-types'
import { readTable } from '../../../files/table-file.ts'
import { fieldError } from '../../../http/errors.ts'
import type { TaskResult } from '../../../workers/task.ts'

type ReadBankFileInput = { bytes: Uint8Array; columns: BankColumns | null; look?: true }
type ReadBankFileResult = { message: BankMessage } | { look: TablePreview | null }

/** Parses a bank file; a parse error becomes a sentence about the file. */
export default async function readBankFileTask({
  bytes,
  columns,
  look,
}: ReadBankFileInput): Promise<TaskResult<ReadBankFileResult>> {
  try {
    const value: ReadBankFileResult = look
      ? { look: await previewTable(bytes, readTable) }
      : { message: await parseBankFile(bytes, columns, readTable) }
    return { value }
  } catch (error) {
    if (error instanceof BankFileRefusedError || error instanceof FileRefusedError)
      throw fieldError('file', error.message)
    throw error
  }
}
