import { useQuery } from '@tanstack/react-query'
import { type BankLine, bank, type MatchProposal } from '@voisol/contract/bank'
import { type KeyboardEvent, Suspense, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { Badge } from '../../../components/badge.tsx'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { cx } from '../../../components/cx.ts'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { FilterChips, SearchBox } from '../../../components/filter-bar.tsx'
import { Select } from '../../../components/input.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { Pagination } from '../../../components/pagination.tsx'
import { useCan } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { formatCount, formatDate, formatMoney } from '../../../lib/format.ts'
import { query, useAction, useList } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'

const ImportStatement = lazy(() => import('./import-statement.tsx'))
const Statements = lazy(() => import('./statements.tsx'))

const LINE_STATE_OPTIONS = [
  { value: 'open', label: 'À rapprocher' },
  { value: 'posted', label: 'Rapprochés' },
  { value: 'ignored', label: 'Laissés' },
]

/** The movements of the bank and what they pay: what is certain is done, the rest is decided here, by keyboard. */
export default function BankPage() {
  const accounts = useQuery(query(bank.accounts, {}))
  const [search] = useSearchParams()
  // What waits comes first: it is what one is here for.
  const list = useList(bank.lines, search.has('state') ? {} : { state: 'open' })
  const can = useCan()
  if (accounts.error) return <ErrorState error={accounts.error} onRetry={accounts.refetch} />
  if (!accounts.data) return <Skeleton className="h-96 w-full" />
  const own = accounts.data.items.filter(({ kind }) => kind === 'bank')
  if (!own.length)
    return (
      <EmptyState
        title="Aucun compte bancaire"
        why="Les relevés se rattachent à un compte&#160;: enregistrez d’abord celui sur lequel vos factures sont payées."
        action={<ButtonLink to="/advanced-billing?tab=comptes">Comptes bancaires</ButtonLink>}
      />
    )
  const { accountId, state = 'open', q, page, size } = list.filters
  return (
    <div className="grid gap-4 [&>*]:min-w-0">
      {can(bank.import) && (
        <Suspense fallback={<Skeleton className="h-20 w-full" />}>
          <ImportStatement accounts={own} />
        </Suspense>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <SearchBox
          label="Libellé, nom, référence"
          value={q ?? ''}
          onSearch={(text) => list.setFilters({ q: text })}
          className="w-full sm:w-64"
        />
        {own.length > 1 && (
          <Select
            aria-label="Compte"
            className="sm:w-56"
            value={accountId ?? ''}
            options={[
              { value: '', label: 'Tous les comptes' },
              ...own.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onChange={(event) => list.setFilters({ accountId: event.target.value })}
          />
        )}
        <FilterChips
          label="État"
          options={LINE_STATE_OPTIONS}
          value={state}
          onChange={(next) => list.setFilters({ state: next })}
        />
      </div>
      {list.error ? (
        <ErrorState error={list.error} onRetry={list.refetch} />
      ) : list.isPending ? (
        <Skeleton className="h-96 w-full" />
      ) : list.items.length === 0 ? (
        <EmptyState
          title={state === 'open' ? 'Tout est rapproché' : 'Aucun mouvement'}
          why={
            state === 'open'
              ? 'Chaque mouvement de la banque a payé quelque chose, ou a été laissé avec sa raison.'
              : 'Déposez un relevé camt.053 de votre banque, ou un tableau CSV\u00a0: ce qui est certain est rapproché tout seul.'
          }
          because={state === 'open' ? 'all-well' : 'chosen-here'}
        />
      ) : (
        <BankLines lines={list.items} />
      )}
      {list.total > size && (
        <Pagination
          label="Mouvements"
          page={page}
          size={size}
          total={list.total}
          onPage={(next) => list.setFilters({ page: next })}
        />
      )}
      <Suspense fallback={null}>
        <Statements accounts={own} />
      </Suspense>
    </div>
  )
}

const ChooseInvoicesDialog = lazy(() => import('./allocate-line.tsx'))
const IgnoreLineDialog = lazy(() => import('./ignore-line.tsx'))

const BANK_DEPENDENT_QUERIES = [bank.lines, bank.accounts]
const showNotSaved = (error: unknown) =>
  void toast({ title: 'Rien n’est enregistré', description: explainError(error), variant: 'destructive' })

/** What a person does to lines, one after the other; the last one can be taken back. */
function useLineActions() {
  const accept = useAction(bank.accept, BANK_DEPENDENT_QUERIES)
  const undo = useAction(bank.undo, BANK_DEPENDENT_QUERIES)
  const [last, setLast] = useState<BankLine | null>(null)
  const input = ({ id, version }: BankLine) => ({ params: { id }, body: { version } })
  return {
    last,
    setLast,
    busy: accept.isPending || undo.isPending,
    accept: (line: BankLine) => accept.run(input(line)).then(setLast, showNotSaved),
    undo: (line: BankLine) => undo.run(input(line)).then(() => setLast(null), showNotSaved),
  }
}

const SHORTCUTS = [
  ['j k', 'avancer'],
  ['Entrée', 'accepter'],
  ['f', 'chercher une facture'],
  ['i', 'laisser de côté'],
  ['u', 'annuler le dernier'],
]
const ShortcutHelp = () => (
  <p className="flex flex-wrap gap-x-4 gap-y-1 text-[0.8125rem] text-ink-soft max-sm:hidden">
    {SHORTCUTS.map(([key, what]) => (
      <span key={key}>
        <kbd className="rounded border border-line-strong bg-card px-1.5 font-sans text-ink">{key}</kbd> {what}
      </span>
    ))}
  </p>
)

function LastAction({ line, onUndo }: { line: BankLine; onUndo: () => void }) {
  return (
    <div role="status" className="flex flex-wrap items-center gap-3 rounded-card bg-success-soft px-4 py-2 text-body">
      <span className="min-w-0 flex-1">
        <strong className="tabular">{formatMoney(line.amount)}</strong> {line.party} — {line.settled}
      </span>
      <Button variant="quiet" size="small" onClick={onUndo}>
        Annuler
      </Button>
    </div>
  )
}

/** The lines of a page. The cursor is the focused line: settled, it gives way to the next. */
function BankLines({ lines }: { lines: BankLine[] }) {
  const { last, setLast, busy, accept, undo } = useLineActions()
  const [open, setOpen] = useState<{ line: BankLine; as: 'choose' | 'leave' } | null>(null)
  const cursorIndex = useRef<number | null>(null)
  const list = useRef<HTMLUListElement>(null)
  const can = useCan()
  const canEdit = can(bank.accept)
  const buttons = () => [...(list.current?.querySelectorAll<HTMLButtonElement>('[data-line]') ?? [])]
  const focusLine = (at: number) => buttons()[Math.max(0, Math.min(at, lines.length - 1))]?.focus()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lines changed under the cursor
  useEffect(() => {
    if (cursorIndex.current !== null) focusLine(cursorIndex.current)
  }, [lines])

  const handleKey = (event: KeyboardEvent) => {
    const at = buttons().indexOf(document.activeElement as HTMLButtonElement) // where the cursor is, if on a line
    const line = lines[at]
    if (!line || event.metaKey || event.ctrlKey || event.altKey || open) return
    cursorIndex.current = at
    const keyActions: Record<string, () => unknown> = {
      j: () => focusLine(at + 1),
      ArrowDown: () => focusLine(at + 1),
      k: () => focusLine(at - 1),
      ArrowUp: () => focusLine(at - 1),
    }
    if (canEdit && line.state === 'open') {
      if (line.proposal) keyActions.Enter = () => accept(line)
      keyActions.f = () => setOpen({ line, as: 'choose' })
      keyActions.i = () => setOpen({ line, as: 'leave' })
    }
    if (canEdit && last) keyActions.u = () => undo(last)
    const keyAction = keyActions[event.key]
    if (!keyAction || busy) return
    event.preventDefault()
    keyAction()
  }
  const done = (line: BankLine) => {
    setOpen(null)
    setLast(line)
  }
  return (
    <div className="grid gap-3 [&>*]:min-w-0">
      {canEdit && <ShortcutHelp />}
      {last && canEdit && <LastAction line={last} onUndo={() => undo(last)} />}
      <ul
        ref={list}
        aria-label="Mouvements"
        onKeyDown={handleKey}
        className="divide-y divide-line rounded-card border border-line bg-card"
      >
        {lines.map((line, at) => (
          <BankLineItem
            key={line.id}
            line={line}
            may={canEdit}
            busy={busy}
            onAccept={() => {
              cursorIndex.current = at
              accept(line)
            }}
            onChoose={() => setOpen({ line, as: 'choose' })}
            onLeave={() => setOpen({ line, as: 'leave' })}
            onUndo={() => undo(line)}
          />
        ))}
      </ul>
      <Suspense fallback={null}>
        {open?.as === 'choose' && <ChooseInvoicesDialog line={open.line} onClose={() => setOpen(null)} onDone={done} />}
        {open?.as === 'leave' && <IgnoreLineDialog line={open.line} onClose={() => setOpen(null)} onDone={done} />}
      </Suspense>
    </div>
  )
}

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
function BankLineItem(props: BankLineItemProps) {
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
