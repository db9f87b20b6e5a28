import type { ImportReport } from '@voisol/contract/users'
import { users } from '@voisol/contract/users'
import Upload from 'lucide-react/icons/upload'
import { useState } from 'react'
import type { z } from 'zod'
import { explain } from '../../lib/explain.ts'
import { plural } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Table } from '../../ui/table.tsx'

type Report = z.output<typeof ImportReport>
type Outcome = Report['lines'][number]['outcome']
const OUTCOMES: Record<Outcome, { label: string; tone: Tone }> = {
  invited: { label: 'À inviter', tone: 'success' },
  existing: { label: 'Déjà présent', tone: 'neutral' },
  refused: { label: 'Refusé', tone: 'danger' },
}
const MODEL = 'email;prénom;nom;rôle\ncamille.durand@exemple.fr;Camille;Durand;client'

const Preview = ({ report }: { report: Report }) => (
  <div className="max-h-80 overflow-auto">
    <Table
      label="Lignes du fichier"
      rows={report.lines.map((line) => ({ ...line, id: String(line.line) }))}
      columns={[
        { header: 'Ligne', align: 'end', cell: (line) => line.line },
        { header: 'Adresse', cell: (line) => line.email },
        {
          header: 'Résultat',
          cell: ({ outcome }) => <Badge tone={OUTCOMES[outcome].tone}>{OUTCOMES[outcome].label}</Badge>,
        },
        { header: 'Remarque', cell: (line) => line.message },
      ]}
    />
  </div>
)

function ImportForm({ onDone }: { onDone: () => void }) {
  const [csv, setCsv] = useState('')
  const [report, setReport] = useState<Report>()
  const [problem, setProblem] = useState('')
  const send = useAction(users.import, [users.list])
  const run = async (text: string, dryRun: boolean) => {
    setProblem('')
    try {
      const result = await send.run({ body: { csv: text, dryRun } })
      if (dryRun) return setReport(result)
      toast({ title: plural(result.invited, 'invitation envoyée', 'invitations envoyées'), variant: 'success' })
      onDone()
    } catch (error) {
      setReport(undefined)
      setProblem(explain(error))
    }
  }
  const choose = async (file: File | undefined) => {
    if (!file) return
    const text = await file.text()
    setCsv(text)
    await run(text, true)
  }
  return (
    <div className="grid gap-4">
      <label className="grid gap-2 text-body">
        <span className="font-medium">Fichier CSV</span>
        <input
          type="file"
          accept=".csv,text/csv"
          onChange={(event) => choose(event.target.files?.[0])}
          className="file:mr-3 file:rounded-button file:border file:border-line-strong file:bg-card file:px-3 file:py-2"
        />
      </label>
      <p className="text-[0.8125rem] text-ink-soft">Colonnes attendues, dans cet ordre ou avec leur titre :</p>
      <pre className="overflow-x-auto rounded-control bg-page p-3 text-[0.8125rem]">{MODEL}</pre>
      {problem && (
        <p role="alert" className="text-body text-danger">
          {problem}
        </p>
      )}
      {report && <Preview report={report} />}
      {report && (
        <Button
          className="justify-self-end"
          disabled={report.invited === 0}
          loading={send.isPending}
          onClick={() => run(csv, false)}
        >
          Envoyer {plural(report.invited, 'invitation')}
        </Button>
      )}
    </div>
  )
}

export function ImportDialog() {
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      title="Importer des utilisateurs"
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
      <ImportForm onDone={() => setOpen(false)} />
    </Dialog>
  )
}
