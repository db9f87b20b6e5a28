import type { BankColumns } from '@voisol/contract/bank'
import { readTable } from '../../../files/table-file.ts'
import { parseBankFile, previewTable, type TablePreview } from '../../../formats/bank/bank-file.ts'
import { BankFileRefusedError, type BankMessage } from '../../../formats/bank/bank-types.ts'
import { FileRefusedError } from '../../../formats/curve-file-types.ts'
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
