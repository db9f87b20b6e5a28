import { MAX_PARTICIPANT_IMPORT_BYTES, type ParticipantImportReport, participants } from '@voisol/contract/participants'
import { useState } from 'react'
import type { z } from 'zod'
import { confirmFileImpact } from '../../../lib/look-first.ts'
import { useAction } from '../../../lib/queries.ts'
import { getErrorReason } from '../../../lib/reason.ts'
import { PARTICIPANT_DEPENDENT_QUERIES } from '../labels.ts'

export type ParticipantImportOutcome = z.output<typeof ParticipantImportReport>

/** A file read against an operation; nothing is stored before `commit`. */
export function useParticipantImport() {
  const [file, setFile] = useState<File>()
  const [report, setReport] = useState<ParticipantImportOutcome>()
  const [problem, setProblem] = useState('')
  const send = useAction(participants.import, PARTICIPANT_DEPENDENT_QUERIES)
  const sendFile = async (chosen: File, operationId: string, dryRun: boolean) => {
    setProblem('')
    const { name } = chosen
    try {
      const previewToken = dryRun
        ? {}
        : await confirmFileImpact({ kind: 'enrol', id: operationId, name }, chosen, 'Importer ces lignes')
      if (!previewToken) return undefined
      return await send.run({
        query: { name, operationId, dryRun: dryRun ? 'true' : 'false', ...previewToken },
        upload: chosen,
      })
    } catch (error) {
      setProblem(getErrorReason(error))
      return undefined
    }
  }
  const read = async (chosen: File, operationId: string) => {
    setFile(chosen)
    setReport(undefined)
    if (chosen.size > MAX_PARTICIPANT_IMPORT_BYTES)
      return setProblem('Ce fichier dépasse 5\u00a0Mo\u00a0: envoyez-le en plusieurs fois.')
    setReport(await sendFile(chosen, operationId, true))
  }
  const commit = (operationId: string) => (file ? sendFile(file, operationId, false) : undefined)
  /** Lines that were corrected, alone: what is good of them is stored at once. */
  const resend = (corrected: File, operationId: string) => sendFile(corrected, operationId, false)
  return { file, report, problem, working: send.isPending, read, commit, resend }
}
