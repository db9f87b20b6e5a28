import { IMPORT_BYTES, type ParticipantImportReport, participants } from '@voisol/contract/participants'
import { useState } from 'react'
import type { z } from 'zod'
import { only } from '../../../lib/can.tsx'
import { plural } from '../../../lib/format.ts'
import { useAction } from '../../../lib/queries.ts'
import { reasonOf } from '../../../lib/reason.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { ExportMenu, tableFormat } from '../../../ui/export-menu.tsx'
import { FileDrop } from '../../../ui/file-drop.tsx'
import { ImportPreview } from './import-preview.tsx'
import { takeOver } from './take-over.ts'
import type { DraftForm } from './use-draft.ts'

export type Report = z.output<typeof ParticipantImportReport>

function useImport() {
  const [report, setReport] = useState<Report>()
  const [problem, setProblem] = useState('')
  const send = useAction(participants.import, [])
  const read = async (file: File) => {
    setProblem('')
    setReport(undefined)
    if (file.size > IMPORT_BYTES) return setProblem('Ce fichier dépasse 5\u00a0Mo\u00a0: envoyez-le en plusieurs fois.')
    try {
      setReport(await send.run({ query: { name: file.name, dryRun: 'true' }, upload: file }))
    } catch (error) {
      setProblem(reasonOf(error))
    }
  }
  return { report, problem, read, reading: send.isPending, close: () => setReport(undefined) }
}

/** A file is read and shown line by line; nothing enters the draft before it is taken over. */
export const ImportPanel = only(participants.import, ({ form }: { form: DraftForm }) => {
  const { report, problem, read, reading, close } = useImport()
  const take = () => {
    const lines = report?.lines.flatMap(({ value }) => (value ? [value] : [])) ?? []
    const next = takeOver(form.getValues(), lines)
    form.setValue('producers', next.producers, { shouldDirty: true })
    form.setValue('consumers', next.consumers, { shouldDirty: true })
    toast({ title: plural(lines.length, 'ligne reprise', 'lignes reprises'), variant: 'success' })
    close()
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
        <FileDrop accept=".csv,.xlsx,text/csv" label="Choisir un fichier" disabled={reading} onFile={read} />
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
        {report && (
          <>
            <ImportPreview report={report} />
            <div className="flex flex-wrap justify-end gap-2">
              <Button variant="quiet" onClick={close}>
                Abandonner ce fichier
              </Button>
              <Button disabled={report.created === 0} onClick={take}>
                Reprendre {plural(report.created, 'ligne valable', 'lignes valables')}
              </Button>
            </div>
          </>
        )}
      </div>
    </Card>
  )
})
