import { IMPORT_BYTES, type ParticipantImportReport, participants } from '@voisol/contract/participants'
import { useState } from 'react'
import type { z } from 'zod'
import { lookAtFile } from '../../../lib/look-first.ts'
import { useAction } from '../../../lib/queries.ts'
import { reasonOf } from '../../../lib/reason.ts'
import { TOUCHED } from '../labels.ts'

export type Report = z.output<typeof ParticipantImportReport>

/** A file read against an operation; nothing is stored before `commit`. */
export function useImport() {
  const [file, setFile] = useState<File>()
  const [report, setReport] = useState<Report>()
  const [problem, setProblem] = useState('')
  const send = useAction(participants.import, TOUCHED)
  const run = async (chosen: File, operationId: string, dryRun: boolean) => {
    setProblem('')
    const { name } = chosen
    try {
      const seen = dryRun
        ? {}
        : await lookAtFile({ kind: 'enrol', id: operationId, name }, chosen, 'Importer ces lignes')
      if (!seen) return undefined
      return await send.run({
        query: { name, operationId, dryRun: dryRun ? 'true' : 'false', ...seen },
        upload: chosen,
      })
    } catch (error) {
      setProblem(reasonOf(error))
      return undefined
    }
  }
  const read = async (chosen: File, operationId: string) => {
    setFile(chosen)
    setReport(undefined)
    if (chosen.size > IMPORT_BYTES)
      return setProblem('Ce fichier dépasse 5\u00a0Mo\u00a0: envoyez-le en plusieurs fois.')
    setReport(await run(chosen, operationId, true))
  }
  const commit = (operationId: string) => (file ? run(file, operationId, false) : undefined)
  /** Lines that were corrected, alone: what is good of them is stored at once. */
  const resend = (corrected: File, operationId: string) => run(corrected, operationId, false)
  return { file, report, problem, working: send.isPending, read, commit, resend }
}
