import { MAX_PARTICIPANT_IMPORT_BYTES, type ParticipantImportReport, participants } from '@voisol/contract/participants'
import Upload from 'lucide-react/icons/upload'
import { useId, useState } from 'react'
import type { z } from 'zod'
import { Badge, type Tone } from '../../../../components/badge.tsx'
import { Button } from '../../../../components/button.tsx'
import { Corrections } from '../../../../components/corrections.tsx'
import { Dialog } from '../../../../components/dialog.tsx'
import { ExportMenu, toTableFormat } from '../../../../components/export-menu.tsx'
import { FileDrop } from '../../../../components/file-drop.tsx'
import { FilterChips } from '../../../../components/filter-bar.tsx'
import { FieldFrame, Select } from '../../../../components/input.tsx'
import { type Column, Table } from '../../../../components/table.tsx'
import { getErrorReason } from '../../../../lib/call.ts'
import { withAccess } from '../../../../lib/can.tsx'
import { confirmFileImpact } from '../../../../lib/confirm-impact.ts'
import { excludeCorrectableLines, toCorrections } from '../../../../lib/corrections.ts'
import { formatPrm } from '../../../../lib/energy-labels.ts'
import { formatCount } from '../../../../lib/format.ts'
import { useAction } from '../../../../lib/queries.ts'
import { toast } from '../../../../lib/toast.ts'
import { useDialogParam } from '../../../../lib/use-dialog-param.ts'
import { useOperationChoices } from '../entry-choices.tsx'
import { PARTICIPANT_DEPENDENT_QUERIES } from '../labels.ts'

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

type PreviewLine = ParticipantImportOutcome['lines'][number] & { id: string }
const MAX_SHOWN_LINES = 200
const OUTCOME_LABELS: Record<PreviewLine['outcome'], { label: string; plural: string; tone: Tone }> = {
  created: { label: 'Entrée', plural: 'Entrées', tone: 'success' },
  updated: { label: 'Mise à jour', plural: 'Mises à jour', tone: 'info' },
  unchanged: { label: 'Inchangée', plural: 'Inchangées', tone: 'neutral' },
  refused: { label: 'Refusée', plural: 'Refusées', tone: 'danger' },
}
const OUTCOME_ORDER = ['refused', 'created', 'updated', 'unchanged'] as const

const columns: Column<PreviewLine>[] = [
  { header: 'Ligne', align: 'end', cell: ({ line }) => line },
  {
    header: 'Résultat',
    cell: ({ outcome }) => <Badge tone={OUTCOME_LABELS[outcome].tone}>{OUTCOME_LABELS[outcome].label}</Badge>,
  },
  { header: 'Nom', cell: ({ name }) => name || '–' },
  {
    header: 'PRM',
    cell: (line) => (
      <span className="tabular whitespace-nowrap">{/^\d{14}$/.test(line.prm) ? formatPrm(line.prm) : line.prm}</span>
    ),
  },
  { header: 'Remarque', cell: ({ message }) => <span className="block min-w-64 py-1">{message}</span> },
]

/** One line is mended as one; where all were refused there are no others. */
const describeCorrection = (refused: number, lineCount: number) =>
  `${refused > 1 ? 'corrigez-les' : 'corrigez-la'} ci-dessous${refused < lineCount ? ', ou importez les autres' : ''}.`

/** Line by line what would happen, but for what is corrected underneath; what is refused for good says why. */
function ParticipantImportPreview({ report }: { report: ParticipantImportOutcome }) {
  const listed = excludeCorrectableLines(report.lines)
  const count = (outcome: PreviewLine['outcome']) => listed.filter((line) => line.outcome === outcome).length
  const [outcomeFilter, setOutcomeFilter] = useState<string | undefined>(count('refused') > 0 ? 'refused' : undefined)
  const lines = listed
    .filter(({ outcome }) => outcomeFilter === undefined || outcome === outcomeFilter)
    .map((line) => ({ ...line, id: String(line.line) }))
  const options = OUTCOME_ORDER.filter((outcome) => count(outcome) > 0).map((value) => ({
    value,
    label: OUTCOME_LABELS[value].plural,
    count: count(value),
  }))
  return (
    <>
      <p role="status" className="text-body">
        {formatCount(report.lines.length, 'ligne lue', 'lignes lues')}
        {report.refused > 0
          ? `, dont ${formatCount(report.refused, 'refusée', 'refusées')}\u00a0: ${describeCorrection(report.refused, report.lines.length)}`
          : ', toutes valables.'}
      </p>
      {listed.length > 0 && (
        <>
          <FilterChips label="Lignes affichées" options={options} value={outcomeFilter} onChange={setOutcomeFilter} />
          <Table label="Lignes du fichier" rows={lines.slice(0, MAX_SHOWN_LINES)} columns={columns} />
        </>
      )}
      {lines.length > MAX_SHOWN_LINES && (
        <p className="text-[0.8125rem] text-ink-soft">Les {MAX_SHOWN_LINES} premières lignes sont affichées.</p>
      )}
    </>
  )
}

type ParticipantImportOutcome = z.output<typeof ParticipantImportReport>

/** A file read against an operation; nothing is stored before `commit`. */
function useParticipantImport() {
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
