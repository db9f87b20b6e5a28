import {
  MAX_PARTICIPANT_IMPORT_BYTES,
  type ParticipantImportReport,
  type ParticipantLine,
  participants,
} from '@voisol/contract/participants'
import { Day } from '@voisol/contract/primitives'
import { useState } from 'react'
import type { z } from 'zod'
import { withAccess } from '../../../lib/can.tsx'
import { toCorrections } from '../../../lib/corrections.ts'
import { formatCount } from '../../../lib/format.ts'
import { useAction } from '../../../lib/queries.ts'
import { getErrorReason } from '../../../lib/reason.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Corrections } from '../../../ui/corrections.tsx'
import { ExportMenu, toTableFormat } from '../../../ui/export-menu.tsx'
import { FileDrop } from '../../../ui/file-drop.tsx'
import { WizardImportPreview } from './import-preview.tsx'
import { KeptValues } from './kept-values.tsx'
import { type KeptValue, mergeImportedLines } from './take-over.ts'
import type { DraftForm } from './use-draft.ts'

export type ParticipantImportOutcome = z.output<typeof ParticipantImportReport>

function useImportCheck(startsOn: string) {
  const [report, setReport] = useState<ParticipantImportOutcome>()
  const [problem, setProblem] = useState('')
  const send = useAction(participants.import, [])
  const checkFile = async (file: File) => {
    setProblem('')
    const from = Day.safeParse(startsOn).data
    const query = { name: file.name, dryRun: 'true' as const, ...(from && { startsOn: from }) }
    try {
      return await send.run({ query, upload: file })
    } catch (error) {
      setProblem(getErrorReason(error))
      return undefined
    }
  }
  const readFile = async (file: File) => {
    setReport(undefined)
    if (file.size > MAX_PARTICIPANT_IMPORT_BYTES)
      return setProblem('Ce fichier dépasse 5\u00a0Mo\u00a0: envoyez-le en plusieurs fois.')
    setReport(await checkFile(file))
  }
  return {
    report,
    problem,
    read: readFile,
    judge: checkFile,
    reading: send.isPending,
    close: () => setReport(undefined),
  }
}

const getValidLines = ({ lines }: ParticipantImportOutcome) => lines.flatMap(({ value }) => (value ? [value] : []))

/** A file is read and shown line by line; nothing enters the draft before it is taken over. */
export const ParticipantImportPanel = withAccess(participants.import, ({ form }: { form: DraftForm }) => {
  const { report, problem, read, judge, reading, close } = useImportCheck(form.getValues('startsOn'))
  const [keptValues, setKeptValues] = useState<KeptValue[]>([])
  const [isImported, setIsImported] = useState(false)
  const addLines = (lines: ParticipantLine[]) => {
    const next = mergeImportedLines(form.getValues(), lines)
    form.setValue('producers', next.producers, { shouldDirty: true })
    form.setValue('consumers', next.consumers, { shouldDirty: true })
    setKeptValues((old) => [...old, ...next.kept])
    toast({ title: formatCount(lines.length, 'ligne reprise', 'lignes reprises'), variant: 'success' })
  }
  const addAllLines = (good: ParticipantImportOutcome) => {
    addLines(getValidLines(good))
    setIsImported(true)
    if (good.refused === 0) close()
  }
  /** What is good among the corrected lines is taken over; the rest stays to be corrected. */
  const importCorrected = async (corrected: File) => {
    const answer = await judge(corrected)
    if (answer && answer.created > 0) addLines(getValidLines(answer))
    return answer
  }
  return (
    <Card
      title="Depuis un fichier"
      description="CSV ou Excel, une ligne par point."
      actions={
        <ExportMenu
          endpoint={participants.template}
          input={(format) => ({ query: { format: toTableFormat(format) } })}
          label="Modèle de fichier"
        />
      }
    >
      <div className="grid gap-4 [&>*]:min-w-0">
        <FileDrop
          accept=".csv,.xlsx,text/csv"
          label="Choisir un fichier"
          disabled={reading}
          onFile={(file) => {
            setIsImported(false)
            setKeptValues([])
            void read(file)
          }}
        />
        {reading && (
          <p role="status" className="text-body text-ink-soft">
            Lecture du fichier…
          </p>
        )}
        {problem && (
          <p role="alert" className="text-body text-danger">
            {problem}
          </p>
        )}
        <KeptValues kept={keptValues} />
        {report && (
          <>
            <WizardImportPreview report={report} />
            <Corrections rows={toCorrections(report.lines)} action="Reprendre" onSend={importCorrected} />
            <div className="flex flex-wrap justify-end gap-2">
              <Button variant="quiet" onClick={close}>
                {isImported ? 'Fermer ce fichier' : 'Abandonner ce fichier'}
              </Button>
              {!isImported && (
                <Button disabled={report.created === 0} onClick={() => addAllLines(report)}>
                  Reprendre {formatCount(report.created, 'ligne valable', 'lignes valables')}
                </Button>
              )}
            </div>
          </>
        )}
      </div>
    </Card>
  )
})
