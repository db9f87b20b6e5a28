import type { BankColumns } from '@voisol/contract/bank'
import type { Answer } from '../../../compute/task.ts'
import { readTable } from '../../../files/read-table.ts'
import { lookAtTable, readBankFile, type TableLook } from '../../../formats/bank/read.ts'
import { BankFileRefused, type BankMessage } from '../../../formats/bank/types.ts'
import { FileRefused } from '../../../formats/types.ts'
import { fieldError } from '../../../http/errors.ts'

type Given = { bytes: Uint8Array; columns: BankColumns | null; look?: true }
type Read = { message: BankMessage } | { look: TableLook | null }

/** A file of a bank; what it refuses is a sentence about the file. */
export default async function read({ bytes, columns, look }: Given): Promise<Answer<Read>> {
  try {
    const value: Read = look
      ? { look: await lookAtTable(bytes, readTable) }
      : { message: await readBankFile(bytes, columns, readTable) }
    return { value }
  } catch (error) {
    if (error instanceof BankFileRefused || error instanceof FileRefused) throw fieldError('file', error.message)
    throw error
  }
}
