import {
  IMPORT_BYTES,
  type ParticipantImportReport,
  type ParticipantLine,
  participants,
} from '@voisol/contract/participants'
import { Day } from '@voisol/contract/primitives'
import { useState } from 'react'
import type { z } from 'zod'
import { only } from '../../../lib/can.tsx'
import { correctionsOf } from '../../../lib/corrections.ts'
import { plural } from '../../../lib/format.ts'
import { useAction } from '../../../lib/queries.ts'
import { reasonOf } from '../../../lib/reason.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Corrections } from '../../../ui/corrections.tsx'
import { ExportMenu, tableFormat } from '../../../ui/export-menu.tsx'
import { FileDrop } from '../../../ui/file-drop.tsx'
import { ImportPreview } from './import-preview.tsx'
import { KeptValues } from './kept-values.tsx'
import { type Kept, takeOver } from './take-over.ts'
import type { DraftForm } from './use-draft.ts'

export type Report = z.output<typeof ParticipantImportReport>

function useImport(startsOn: string) {
  const [report, setReport] = useState<Report>()
  const [problem, setProblem] = useState('')
  const send = useAction(participants.import, [])
  const judge = async (file: File) => {
    setProblem('')
    const from = Day.safeParse(startsOn).data
    const query = { name: file.name, dryRun: 'true' as const, ...(from && { startsOn: from }) }
    try {
      return await send.run({ query, upload: file })
    } catch (error) {
      setProblem(reasonOf(error))
      return undefined
    }
  }
  const read = async (file: File) => {
    setReport(undefined)
    if (file.size > IMPORT_BYTES) return setProblem('Ce fichier dépasse 5\u00a0Mo\u00a0: envoyez-le en plusieurs fois.')
    setReport(await judge(file))
  }
  return { report, problem, read, judge, reading: send.isPending, close: () => setReport(undefined) }
}

const goodOf = ({ lines }: Report) => lines.flatMap(({ value }) => (value ? [value] : []))

/** A file is read and shown line by line; nothing enters the draft before it is taken over. */
export const ImportPanel = only(participants.import, ({ form }: { form: DraftForm }) => {
  const { report, problem, read, judge, reading, close } = useImport(form.getValues('startsOn'))
  const [kept, setKept] = useState<Kept[]>([])
  const [taken, setTaken] = useState(false)
  const take = (lines: ParticipantLine[]) => {
    const next = takeOver(form.getValues(), lines)
    form.setValue('producers', next.producers, { shouldDirty: true })
    form.setValue('consumers', next.consumers, { shouldDirty: true })
    setKept((old) => [...old, ...next.kept])
    toast({ title: plural(lines.length, 'ligne reprise', 'lignes reprises'), variant: 'success' })
  }
  const takeAll = (good: Report) => {
    take(goodOf(good))
    setTaken(true)
    if (good.refused === 0) close()
  }
  /** What is good among the corrected lines is taken over; the rest stays to be corrected. */
  const correct = async (corrected: File) => {
    const answer = await judge(corrected)
    if (answer && answer.created > 0) take(goodOf(answer))
    return answer
  }
  return (
    <Card
      title="Depuis un fichier"
      description="CSV ou Excel, une ligne par point."
      actions={
        <ExportMenu
          endpoint={participants.template}
          input={(format) => ({ query: { format: tableFormat(format) } })}
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
            setTaken(false)
            setKept([])
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
        <KeptValues kept={kept} />
        {report && (
          <>
            <ImportPreview report={report} />
            <Corrections rows={correctionsOf(report.lines)} action="Reprendre" onSend={correct} />
            <div className="flex flex-wrap justify-end gap-2">
              <Button variant="quiet" onClick={close}>
                {taken ? 'Fermer ce fichier' : 'Abandonner ce fichier'}
              </Button>
              {!taken && (
                <Button disabled={report.created === 0} onClick={() => takeAll(report)}>
                  Reprendre {plural(report.created, 'ligne valable', 'lignes valables')}
                </Button>
              )}
            </div>
          </>
        )}
      </div>
    </Card>
  )
})
