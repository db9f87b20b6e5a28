import { participants } from '@voisol/contract/participants'
import Upload from 'lucide-react/icons/upload'
import { useId, useState } from 'react'
import { only } from '../../../lib/can.tsx'
import { correctionsOf } from '../../../lib/corrections.ts'
import { plural } from '../../../lib/format.ts'
import { useOpened } from '../../../lib/opened.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Corrections } from '../../../ui/corrections.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ExportMenu, tableFormat } from '../../../ui/export-menu.tsx'
import { FieldFrame } from '../../../ui/field-frame.tsx'
import { FileDrop } from '../../../ui/file-drop.tsx'
import { Select } from '../../../ui/select.tsx'
import { useOperationChoices } from '../operation-choice.ts'
import { ImportPreview } from './import-preview.tsx'
import { type Report, useImport } from './use-import.ts'

const OperationChoice = ({ value, onChange }: { value: string; onChange: (id: string) => void }) => {
  const id = useId()
  const { known, options } = useOperationChoices()
  return (
    <FieldFrame
      id={id}
      label="Opération"
      hint={known && options.length === 0 ? 'Créez d’abord une opération.' : undefined}
    >
      <Select
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        options={[{ value: '', label: 'Choisir' }, ...options]}
      />
    </FieldFrame>
  )
}

const Template = () => (
  <div className="flex flex-wrap items-center justify-between gap-3">
    <p className="prose-width text-[0.8125rem] text-ink-soft">
      CSV ou Excel, une ligne par point, titres sur la première ligne. Le PRM et le nom suffisent&nbsp;; le modèle
      montre les autres colonnes.
    </p>
    <ExportMenu
      endpoint={participants.template}
      input={(format) => ({ query: { format: tableFormat(format) } })}
      label="Modèle de fichier"
    />
  </div>
)

const countOf = ({ created, updated }: Report) => created + updated

function ImportForm({ operationId: fixed, onDone }: { operationId?: string; onDone: () => void }) {
  const [operationId, setOperation] = useState(fixed ?? '')
  const { file, report, problem, working, read, commit, resend } = useImport()
  const [stored, setStored] = useState(false)
  const choose = (id: string) => {
    setOperation(id)
    if (file && id) void read(file, id)
  }
  const store = async () => {
    const done = await commit(operationId)
    if (!done) return
    toast({ title: plural(countOf(done), 'ligne importée', 'lignes importées'), variant: 'success' })
    setStored(true)
    if (done.refused === 0) onDone()
  }
  const correct = async (corrected: File) => {
    const answer = await resend(corrected, operationId)
    if (!answer) return undefined
    const left = answer.refused ? `, ${plural(answer.refused, 'encore refusée', 'encore refusées')}` : ''
    const title = `${plural(countOf(answer), 'ligne importée', 'lignes importées')}${left}`
    toast({ title, variant: left ? 'default' : 'success' })
    if (!left && (stored || countOf(report ?? answer) === 0)) onDone()
    return answer
  }
  return (
    <div className="grid gap-4 [&>*]:min-w-0">
      {!fixed && <OperationChoice value={operationId} onChange={choose} />}
      <Template />
      <FileDrop
        accept=".csv,.xlsx,text/csv"
        label="Choisir un fichier"
        disabled={working || !operationId}
        hint={operationId ? (file?.name ?? 'ou déposez-le ici.') : 'Choisissez d’abord l’opération.'}
        onFile={(chosen) => {
          setStored(false)
          void read(chosen, operationId)
        }}
      />
      {working && (
        <p role="status" className="text-body text-ink-soft">
          Lecture du fichier…
        </p>
      )}
      {problem && (
        <p role="alert" className="text-body text-danger">
          {problem}
        </p>
      )}
      {report && <ImportPreview key={`${operationId} ${report.refused}`} report={report} />}
      {report && (
        <Corrections
          key={`${file?.name} ${operationId}`}
          rows={correctionsOf(report.lines)}
          action="Importer"
          onSend={correct}
        />
      )}
      {report && !stored && (
        <Button className="justify-self-end" disabled={countOf(report) === 0} loading={working} onClick={store}>
          Importer {plural(countOf(report), 'ligne')}
        </Button>
      )}
    </div>
  )
}

export const ImportDialog = only(participants.import, ({ operationId }: { operationId?: string }) => {
  const [open, setOpen] = useOpened('importer')
  return (
    <Dialog
      title="Importer des participants"
      description="Rien n’est enregistré avant votre confirmation."
      width="wide"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="secondary" icon={<Upload aria-hidden="true" />}>
          Importer
        </Button>
      }
    >
      <ImportForm operationId={operationId} onDone={() => setOpen(false)} />
    </Dialog>
  )
})
