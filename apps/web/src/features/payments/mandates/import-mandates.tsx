import type { EndpointReply } from '@voisol/contract/endpoint'
import { mandates } from '@voisol/contract/mandates'
import { useState } from 'react'
import { Badge, type Tone } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { FileDrop } from '../../../components/file-drop.tsx'
import { Select } from '../../../components/input.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { formatCount } from '../../../lib/format.ts'
import { useAction } from '../../../lib/queries.ts'

type Report = EndpointReply<typeof mandates.import>
const OUTCOME_LABELS: Record<Report['lines'][number]['outcome'], { label: string; tone: Tone }> = {
  added: { label: 'À reprendre', tone: 'success' },
  known: { label: 'Connu', tone: 'neutral' },
  refused: { label: 'Refusé', tone: 'danger' },
}

const ImportLines = ({ report }: { report: Report }) => (
  <ul className="divide-y divide-line rounded-card border border-line">
    {report.lines.map(({ line, rum, participant, outcome, message }) => (
      <li key={line} className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1 px-3 py-2">
        <span className="min-w-0 flex-1">
          <span className="font-medium">{rum || 'Sans RUM'}</span> {participant}
          <span className="block text-[0.8125rem] text-ink-soft">
            Ligne {line}. {message}
          </span>
        </span>
        <Badge tone={OUTCOME_LABELS[outcome].tone}>{OUTCOME_LABELS[outcome].label}</Badge>
      </li>
    ))}
  </ul>
)

type ImportProps = { creditors: { id: string; name: string }[]; onClose: () => void }
/** Mandates that another product or a bank kept: looked at first, then taken over with their reference and first use. */
export default function ImportMandatesDialog({ creditors, onClose }: ImportProps) {
  const [creditorId, setCreditorId] = useState(creditors[0]?.id ?? '')
  const [file, setFile] = useState<File | null>(null)
  const [report, setReport] = useState<Report | null>(null)
  const [error, setError] = useState('')
  const importAction = useAction(mandates.import, [mandates.list])
  const send = (upload: File, dryRun: boolean) => {
    setError('')
    const query = { name: upload.name, creditorId, dryRun: dryRun ? ('true' as const) : ('false' as const) }
    importAction.run({ query, upload }).then(
      (result) => {
        setReport(result)
        setFile(dryRun ? upload : null)
      },
      (failure: unknown) => setError(explainError(failure)),
    )
  }
  return (
    <Dialog
      title="Reprendre des mandats"
      description="Un tableau CSV ou Excel&#160;: Participant, RUM, IBAN, Date de signature, Premier prélèvement, Dernier prélèvement."
      width="wide"
      open
      onOpenChange={onClose}
      actions={
        file &&
        report &&
        report.added > 0 && (
          <Button loading={importAction.isPending} onClick={() => send(file, false)}>
            Reprendre {formatCount(report.added, 'mandat')}
          </Button>
        )
      }
    >
      <div className="grid gap-3">
        <Select
          aria-label="Créancier"
          value={creditorId}
          options={creditors.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(event) => setCreditorId(event.target.value)}
        />
        <FileDrop
          label="Choisir un tableau"
          accept=".csv,.xlsx"
          disabled={importAction.isPending || !creditorId}
          onFile={(chosen) => send(chosen, true)}
        />
        {error && (
          <p role="alert" className="text-danger">
            {error}
          </p>
        )}
        {report && (
          <>
            <p role="status" className="text-body">
              {file ? 'À vérifier' : 'Repris'}&#160;: {formatCount(report.added, 'mandat')}, {report.known} déjà connus,{' '}
              {formatCount(report.refused, 'ligne refusée', 'lignes refusées')}.
            </p>
            <ImportLines report={report} />
          </>
        )}
      </div>
    </Dialog>
  )
}
