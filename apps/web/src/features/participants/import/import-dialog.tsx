import { participants } from '@voisol/contract/participants'
import Upload from 'lucide-react/icons/upload'
import { useId, useState } from 'react'
import { withAccess } from '../../../lib/can.tsx'
import { toCorrections } from '../../../lib/corrections.ts'
import { formatCount } from '../../../lib/format.ts'
import { useDialogParam } from '../../../lib/opened.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Corrections } from '../../../ui/corrections.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ExportMenu, toTableFormat } from '../../../ui/export-menu.tsx'
import { FieldFrame } from '../../../ui/field-frame.tsx'
import { FileDrop } from '../../../ui/file-drop.tsx'
import { Select } from '../../../ui/select.tsx'
import { useOperationChoices } from '../operation-choice.ts'
import { ParticipantImportPreview } from './import-preview.tsx'
import { type ParticipantImportOutcome, useParticipantImport } from './use-import.ts'

const OperationSelect = ({ value, onChange }: { value: string; onChange: (id: string) => void }) => {
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

const ImportTemplate = () => (
  <div className="flex flex-wrap items-center justify-between gap-3">
    <p className="prose-width text-[0.8125rem] text-ink-soft">
      CSV ou Excel, une ligne par point, titres sur la première ligne. Le PRM et le nom suffisent&nbsp;; le modèle
      montre les autres colonnes.
    </p>
    <ExportMenu
      endpoint={participants.template}
      input={(format) => ({ query: { format: toTableFormat(format) } })}
      label="Modèle de fichier"
    />
  </div>
)

const countStoredLines = ({ created, updated }: ParticipantImportOutcome) => created + updated

function ImportForm({ operationId: fixedOperationId, onDone }: { operationId?: string; onDone: () => void }) {
  const [operationId, setOperation] = useState(fixedOperationId ?? '')
  const { file, report, problem, working, read, commit, resend } = useParticipantImport()
  const [isStored, setIsStored] = useState(false)
  const chooseOperation = (id: string) => {
    setOperation(id)
    if (file && id) void read(file, id)
  }
  const storeLines = async () => {
    const importOutcome = await commit(operationId)
    if (!importOutcome) return
    toast({
      title: formatCount(countStoredLines(importOutcome), 'ligne importée', 'lignes importées'),
      variant: 'success',
    })
    setIsStored(true)
    if (importOutcome.refused === 0) onDone()
  }
  const sendCorrected = async (corrected: File) => {
    const answer = await resend(corrected, operationId)
    if (!answer) return undefined
    const refusedText = answer.refused ? `, ${formatCount(answer.refused, 'encore refusée', 'encore refusées')}` : ''
    const title = `${formatCount(countStoredLines(answer), 'ligne importée', 'lignes importées')}${refusedText}`
    toast({ title, variant: refusedText ? 'default' : 'success' })
    if (!refusedText && (isStored || countStoredLines(report ?? answer) === 0)) onDone()
    return answer
  }
  return (
    <div className="grid gap-4 [&>*]:min-w-0">
      {!fixedOperationId && <OperationSelect value={operationId} onChange={chooseOperation} />}
      <ImportTemplate />
      <FileDrop
        accept=".csv,.xlsx,text/csv"
        label="Choisir un fichier"
        disabled={working || !operationId}
        hint={operationId ? (file?.name ?? 'ou déposez-le ici.') : 'Choisissez d’abord l’opération.'}
        onFile={(chosen) => {
          setIsStored(false)
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
      {report && <ParticipantImportPreview key={`${operationId} ${report.refused}`} report={report} />}
      {report && (
        <Corrections
          key={`${file?.name} ${operationId}`}
          rows={toCorrections(report.lines)}
          action="Importer"
          onSend={sendCorrected}
        />
      )}
      {report && !isStored && (
        <Button
          className="justify-self-end"
          disabled={countStoredLines(report) === 0}
          loading={working}
          onClick={storeLines}
        >
          Importer {formatCount(countStoredLines(report), 'ligne')}
        </Button>
      )}
    </div>
  )
}

export const ImportParticipantsDialog = withAccess(participants.import, ({ operationId }: { operationId?: string }) => {
  const [open, setOpen] = useDialogParam('importer')
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
