import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type BankLine, bank } from '@voisol/contract/bank'
import type { Reply } from '@voisol/contract/endpoint'
import { useState } from 'react'
import { explain } from '../../lib/explain.ts'
import { date, money } from '../../lib/format.ts'
import { query, useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { poured } from './poured.ts'

type ChooseProps = { line: BankLine; onClose: () => void; onDone: (line: BankLine) => void }
type Candidate = Reply<typeof bank.candidates>['items'][number]

function Sum({ line, left }: { line: BankLine; left: number }) {
  const words =
    left === line.amount ? 'Cochez les factures que ce mouvement paie.' : left === 0 ? 'Tout est affecté.' : ''
  return (
    <p aria-live="polite" className="text-body text-ink-soft">
      {words || (
        <>
          Il reste <strong className="tabular text-ink">{money(left)}</strong>&#160;: la somme paie les factures les
          plus anciennes du dernier choisi, puis devient une avance.
        </>
      )}
    </p>
  )
}

function Candidates({
  items,
  chosen,
  onToggle,
}: {
  items: Candidate[]
  chosen: Candidate[]
  onToggle: (item: Candidate) => void
}) {
  return (
    <ul className="divide-y divide-line rounded-card border border-line">
      {items.map((item) => (
        <li key={item.invoiceId} className="flex items-center justify-between gap-3 px-3 py-1.5">
          <Checkbox
            label={
              <>
                <span className="font-medium">{item.number}</span> {item.buyer}
              </>
            }
            checked={chosen.some(({ invoiceId }) => invoiceId === item.invoiceId)}
            onChange={() => onToggle(item)}
          />
          <span className="tabular text-right text-[0.8125rem] whitespace-nowrap text-ink-soft">
            <strong className="block text-body text-ink">{money(item.open)}</strong>
            {date(item.dueOn)}
          </span>
        </li>
      ))}
      {!items.length && <li className="px-3 py-6 text-center text-ink-soft">Aucune facture ouverte à ce nom.</li>}
    </ul>
  )
}

/** Looks for the documents a line pays, and splits it over them. */
export default function Choose({ line, onClose, onDone }: ChooseProps) {
  const [q, setQ] = useState('')
  const [chosen, setChosen] = useState<Candidate[]>([])
  const settle = useAction(bank.settle, [bank.lines, bank.accounts])
  const found = useQuery({
    ...query(bank.candidates, { params: { id: line.id }, query: { q } }),
    placeholderData: keepPreviousData,
  })
  const { parts, left } = poured(line.amount, chosen)
  const toggle = (item: Candidate) =>
    setChosen((old) => {
      const without = old.filter(({ invoiceId }) => invoiceId !== item.invoiceId)
      return without.length < old.length ? without : [...old, item]
    })
  const save = () =>
    settle
      .run({ params: { id: line.id }, body: { parts, version: line.version } })
      .then(onDone, (error: unknown) =>
        toast({ title: 'Rien n’est enregistré', description: explain(error), variant: 'destructive' }),
      )
  return (
    <Dialog
      title={`Affecter ${money(line.amount)}`}
      description={[date(line.bookedOn), line.party, line.label].filter(Boolean).join(' — ')}
      open
      onOpenChange={onClose}
      actions={
        <Button disabled={!parts.length} loading={settle.isPending} onClick={save}>
          Affecter le mouvement
        </Button>
      }
    >
      <div className="grid gap-3">
        <SearchBox label="Numéro ou nom" value={q} onSearch={setQ} />
        {found.error ? (
          <ErrorState error={found.error} onRetry={found.refetch} />
        ) : found.data ? (
          <Candidates items={found.data.items} chosen={chosen} onToggle={toggle} />
        ) : (
          <Skeleton className="h-48 w-full" />
        )}
        <Sum line={line} left={left} />
      </div>
    </Dialog>
  )
}
