import { useQuery } from '@tanstack/react-query'
import { parties } from '@voisol/contract/parties'
import { type TakeoverReport, takeovers } from '@voisol/contract/takeovers'
import { useId, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { DateInput } from '../../../components/date-input.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { FileDrop } from '../../../components/file-drop.tsx'
import { FieldFrame, Select } from '../../../components/input.tsx'
import { getTodayInParis } from '../../../components/period/period.ts'
import { explainError } from '../../../lib/error-text.ts'
import { formatCount, formatMoney } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'

function TakeoverReportView({ report }: { report: TakeoverReport }) {
  const refused = report.lines.filter(({ outcome }) => outcome === 'refused')
  return (
    <div className="grid gap-2 text-body">
      <p>
        <strong>{formatCount(report.added, 'facture à reprendre', 'factures à reprendre')}</strong>
        {report.known > 0 && `, ${formatCount(report.known, 'déjà reprise', 'déjà reprises')}`}
        {`\u00a0: ${formatMoney(report.debit)} dus à l’ouverture, ${formatMoney(report.credit)} d’avoirs.`}
      </p>
      {refused.length > 0 && (
        <>
          <p className="text-warning">{formatCount(refused.length, 'ligne refusée', 'lignes refusées')}</p>
          <ul className="divide-y divide-line rounded-card border border-line">
            {refused.map(({ line, number, message }) => (
              <li key={line} className="px-3 py-2">
                <span className="font-medium">{`Ligne ${line}${number && `, ${number}`}`}</span>
                <span className="block text-[0.8125rem] text-ink-soft">{message}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

type Props = { operationId: string; onClose: () => void }
type CheckedFile = { file: File; report: TakeoverReport }

function ImportSteps({ operationId, onClose }: Props) {
  const ids = { seller: useId(), on: useId() }
  const { data } = useQuery(query(parties.sellers, {}))
  const [sellerId, setSeller] = useState('')
  const [on, setOn] = useState(getTodayInParis())
  const [checkedFile, setCheckedFile] = useState<CheckedFile>()
  const run = useAction(takeovers.import, [takeovers.documents])
  const sellers = data?.items ?? []
  const chosen = sellerId || sellers[0]?.id || ''
  const showFailure = (error: unknown) =>
    void toast({ title: 'Fichier refusé', description: explainError(error), variant: 'destructive' })
  const send = (file: File, dryRun: 'true' | 'false') =>
    run.run({ query: { operationId, sellerId: chosen, on, dryRun }, upload: file })
  const changeInput = (set: () => void) => {
    set()
    setCheckedFile(undefined)
  }
  const importFile = ({ file }: CheckedFile) =>
    void send(file, 'false').then(({ added }) => {
      toast({ title: formatCount(added, 'facture reprise', 'factures reprises'), variant: 'success' })
      onClose()
    }, showFailure)
  return (
    <div className="grid gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <FieldFrame id={ids.seller} label="Vendeur">
          <Select
            id={ids.seller}
            value={chosen}
            options={sellers.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={({ target }) => changeInput(() => setSeller(target.value))}
          />
        </FieldFrame>
        <FieldFrame id={ids.on} label="Jour de la reprise">
          <DateInput id={ids.on} value={on} onValue={(day) => changeInput(() => setOn(day))} />
        </FieldFrame>
      </div>
      <FileDrop
        accept=".csv,.xlsx"
        label={run.isPending ? 'Lecture…' : 'Choisir le tableau'}
        hint="CSV ou XLSX. Rien n’est enregistré avant votre accord."
        disabled={run.isPending || !chosen || !on}
        onFile={(file) => void send(file, 'true').then((report) => setCheckedFile({ file, report }), showFailure)}
      />
      {checkedFile && <TakeoverReportView report={checkedFile.report} />}
      {checkedFile && checkedFile.report.added > 0 && (
        <Button className="justify-self-end" loading={run.isPending} onClick={() => importFile(checkedFile)}>
          {`Reprendre ${formatCount(checkedFile.report.added, 'facture')}`}
        </Button>
      )}
    </div>
  )
}

/** A file is read and judged first, line by line; then taken over as a whole. */
export default function ImportPastInvoicesDialog(props: Props) {
  return (
    <Dialog
      title="Reprendre des factures"
      description="Celles qu’un autre outil a émises, avec ce qui reste dû."
      width="wide"
      open
      onOpenChange={(open) => !open && props.onClose()}
    >
      <ImportSteps {...props} />
    </Dialog>
  )
}
