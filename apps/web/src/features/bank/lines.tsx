import { type BankLine, bank } from '@voisol/contract/bank'
import { type KeyboardEvent, Suspense, useEffect, useRef, useState } from 'react'
import { useCan } from '../../lib/can.tsx'
import { explainError } from '../../lib/explain.ts'
import { formatMoney } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { BankLineItem } from './line-row.tsx'

const ChooseInvoicesDialog = lazy(() => import('./choose.tsx'))
const IgnoreLineDialog = lazy(() => import('./leave.tsx'))

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
export function BankLines({ lines }: { lines: BankLine[] }) {
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
