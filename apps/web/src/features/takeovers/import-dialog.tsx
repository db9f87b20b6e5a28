import { useQuery } from '@tanstack/react-query'
import { parties } from '@voisol/contract/parties'
import { type TakeoverReport, takeovers } from '@voisol/contract/takeovers'
import { useId, useState } from 'react'
import { explain } from '../../lib/explain.ts'
import { money, plural } from '../../lib/format.ts'
import { query, useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { DateInput } from '../../ui/date-input.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { todayInParis } from '../../ui/period/period.ts'
import { Select } from '../../ui/select.tsx'

function Report({ report }: { report: TakeoverReport }) {
  const refused = report.lines.filter(({ outcome }) => outcome === 'refused')
  return (
    <div className="grid gap-2 text-body">
      <p>
        <strong>{plural(report.added, 'facture à reprendre', 'factures à reprendre')}</strong>
        {report.known > 0 && `, ${plural(report.known, 'déjà reprise', 'déjà reprises')}`}
        {`\u00a0: ${money(report.debit)} dus à l’ouverture, ${money(report.credit)} d’avoirs.`}
      </p>
      {refused.length > 0 && (
        <>
          <p className="text-warning">{plural(refused.length, 'ligne refusée', 'lignes refusées')}</p>
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
type Tried = { file: File; report: TakeoverReport }

function Steps({ operationId, onClose }: Props) {
  const ids = { seller: useId(), on: useId() }
  const { data } = useQuery(query(parties.sellers, {}))
  const [sellerId, setSeller] = useState('')
  const [on, setOn] = useState(todayInParis())
  const [tried, setTried] = useState<Tried>()
  const run = useAction(takeovers.import, [takeovers.documents])
  const sellers = data?.items ?? []
  const chosen = sellerId || sellers[0]?.id || ''
  const failed = (error: unknown) =>
    void toast({ title: 'Fichier refusé', description: explain(error), variant: 'destructive' })
  const send = (file: File, dryRun: 'true' | 'false') =>
    run.run({ query: { operationId, sellerId: chosen, on, dryRun }, upload: file })
  const change = (set: () => void) => {
    set()
    setTried(undefined)
  }
  const take = ({ file }: Tried) =>
    void send(file, 'false').then(({ added }) => {
      toast({ title: plural(added, 'facture reprise', 'factures reprises'), variant: 'success' })
      onClose()
    }, failed)
  return (
    <div className="grid gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <FieldFrame id={ids.seller} label="Vendeur">
          <Select
            id={ids.seller}
            value={chosen}
            options={sellers.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={({ target }) => change(() => setSeller(target.value))}
          />
        </FieldFrame>
        <FieldFrame id={ids.on} label="Jour de la reprise">
          <DateInput id={ids.on} value={on} onValue={(day) => change(() => setOn(day))} />
        </FieldFrame>
      </div>
      <FileDrop
        accept=".csv,.xlsx"
        label={run.isPending ? 'Lecture…' : 'Choisir le tableau'}
        hint="CSV ou XLSX. Rien n’est enregistré avant votre accord."
        disabled={run.isPending || !chosen || !on}
        onFile={(file) => void send(file, 'true').then((report) => setTried({ file, report }), failed)}
      />
      {tried && <Report report={tried.report} />}
      {tried && tried.report.added > 0 && (
        <Button className="justify-self-end" loading={run.isPending} onClick={() => take(tried)}>
          {`Reprendre ${plural(tried.report.added, 'facture')}`}
        </Button>
      )}
    </div>
  )
}

/** A file is read and judged first, line by line; then taken over as a whole. */
export default function ImportDialog(props: Props) {
  return (
    <Dialog
      title="Reprendre des factures"
      description="Celles qu’un autre outil a émises, avec ce qui reste dû."
      width="wide"
      open
      onOpenChange={(open) => !open && props.onClose()}
    >
      <Steps {...props} />
    </Dialog>
  )
}
