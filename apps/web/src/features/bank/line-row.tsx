import type { BankLine, MatchProposal } from '@voisol/contract/bank'
import { formatCount, formatDate, formatMoney } from '../../lib/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'

type BankLineItemProps = {
  line: BankLine
  may: boolean
  busy: boolean
  onAccept: () => void
  onChoose: () => void
  onLeave: () => void
  onUndo: () => void
}

function ProposalSummary({ proposal }: { proposal: MatchProposal }) {
  const { invoices, debits, buyer, sentence, certain } = proposal
  const what = debits > 0 ? formatCount(debits, 'prélèvement') : invoices.map(({ number }) => number).join(', ')
  return (
    <span className="grid gap-0.5">
      <span className="font-medium">
        {what}
        {buyer && <span className="font-normal text-ink-soft"> — {buyer}</span>}
      </span>
      <span className={cx('text-[0.8125rem]', certain ? 'text-success' : 'text-ink-soft')}>{sentence}</span>
    </span>
  )
}

/** What is said of a line: what it seems to pay, what it paid, or that nobody knows yet. */
function LineStatus({ line }: { line: BankLine }) {
  if (line.state !== 'open')
    return (
      <span className="grid justify-items-start gap-1">
        <Badge tone={line.state === 'posted' ? 'success' : 'neutral'}>
          {line.state === 'posted' ? 'Rapproché' : 'Laissé'}
        </Badge>
        <span className="text-[0.8125rem] text-ink-soft">{line.settled}</span>
      </span>
    )
  if (line.proposal) return <ProposalSummary proposal={line.proposal} />
  return <span className="text-ink-muted">Aucune proposition</span>
}

function LineActions({ line, busy, onAccept, onChoose, onLeave, onUndo }: BankLineItemProps) {
  const subject = `${formatMoney(line.amount)}, ${line.party || line.label}`
  if (line.state !== 'open')
    return (
      <Button variant="quiet" size="small" disabled={busy} aria-label={`Annuler\u00a0: ${subject}`} onClick={onUndo}>
        Annuler
      </Button>
    )
  return (
    <>
      {line.proposal && (
        <Button size="small" disabled={busy} aria-label={`Accepter\u00a0: ${subject}`} onClick={onAccept}>
          Accepter
        </Button>
      )}
      {line.amount > 0 && (
        <Button
          variant="secondary"
          size="small"
          aria-label={`Choisir les factures\u00a0: ${subject}`}
          onClick={onChoose}
        >
          Choisir
        </Button>
      )}
      <Button variant="quiet" size="small" aria-label={`Laisser de côté\u00a0: ${subject}`} onClick={onLeave}>
        Laisser
      </Button>
    </>
  )
}

/** A line: who, how much, what it seems to pay, and what can be done. Its first button is where the cursor stands. */
export function BankLineItem(props: BankLineItemProps) {
  const { line, may, onChoose, onLeave } = props
  const choose = () => {
    if (!may || line.state !== 'open') return
    if (line.amount > 0) onChoose()
    else onLeave()
  }
  return (
    <li className="grid gap-x-4 gap-y-2 px-4 py-3 has-[[data-line]:focus-visible]:bg-primary-soft sm:grid-cols-[minmax(0,1.3fr)_7.5rem_minmax(0,1.4fr)_auto] sm:items-center">
      <button type="button" data-line onClick={choose} className="min-w-0 rounded text-left max-sm:pr-2">
        <span className="block truncate font-medium">{line.party || line.label || 'Sans libellé'}</span>
        <span className="block truncate text-[0.8125rem] text-ink-soft">
          <span className="tabular">{formatDate(line.bookedOn)}</span> {line.party && line.label}
        </span>
      </button>
      <span
        className={cx(
          'tabular whitespace-nowrap font-semibold sm:text-right',
          line.amount < 0 ? 'text-ink-soft' : 'text-ink',
        )}
      >
        {formatMoney(line.amount)}
      </span>
      <span className="min-w-0 text-body">
        <LineStatus line={line} />
      </span>
      {may && (
        <span className="flex flex-wrap gap-1 sm:min-w-56 sm:justify-end">
          <LineActions {...props} />
        </span>
      )}
    </li>
  )
}
