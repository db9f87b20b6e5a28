import { type BankLine, bank } from '@voisol/contract/bank'
import { type KeyboardEvent, Suspense, useEffect, useRef, useState } from 'react'
import { useCan } from '../../lib/can.tsx'
import { explain } from '../../lib/explain.ts'
import { money } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { LineRow } from './line-row.tsx'

const Choose = lazy(() => import('./choose.tsx'))
const Leave = lazy(() => import('./leave.tsx'))

const TOUCHED = [bank.lines, bank.accounts]
const refused = (error: unknown) =>
  void toast({ title: 'Rien n’est enregistré', description: explain(error), variant: 'destructive' })

/** What a person does to lines, one after the other; the last one can be taken back. */
function useSettling() {
  const accept = useAction(bank.accept, TOUCHED)
  const undo = useAction(bank.undo, TOUCHED)
  const [last, setLast] = useState<BankLine | null>(null)
  const input = ({ id, version }: BankLine) => ({ params: { id }, body: { version } })
  return {
    last,
    setLast,
    busy: accept.isPending || undo.isPending,
    accept: (line: BankLine) => accept.run(input(line)).then(setLast, refused),
    undo: (line: BankLine) => undo.run(input(line)).then(() => setLast(null), refused),
  }
}

const HELP = [
  ['j k', 'avancer'],
  ['Entrée', 'accepter'],
  ['f', 'chercher une facture'],
  ['i', 'laisser de côté'],
  ['u', 'annuler le dernier'],
]
const Help = () => (
  <p className="flex flex-wrap gap-x-4 gap-y-1 text-[0.8125rem] text-ink-soft max-sm:hidden">
    {HELP.map(([key, what]) => (
      <span key={key}>
        <kbd className="rounded border border-line-strong bg-card px-1.5 font-sans text-ink">{key}</kbd> {what}
      </span>
    ))}
  </p>
)

function Last({ line, onUndo }: { line: BankLine; onUndo: () => void }) {
  return (
    <div role="status" className="flex flex-wrap items-center gap-3 rounded-card bg-success-soft px-4 py-2 text-body">
      <span className="min-w-0 flex-1">
        <strong className="tabular">{money(line.amount)}</strong> {line.party} — {line.settled}
      </span>
      <Button variant="quiet" size="small" onClick={onUndo}>
        Annuler
      </Button>
    </div>
  )
}

/** The lines of a page. The cursor is the focused line: settled, it gives way to the next. */
export function BankLines({ lines }: { lines: BankLine[] }) {
  const { last, setLast, busy, accept, undo } = useSettling()
  const [open, setOpen] = useState<{ line: BankLine; as: 'choose' | 'leave' } | null>(null)
  const place = useRef<number | null>(null)
  const list = useRef<HTMLUListElement>(null)
  const can = useCan()
  const may = can(bank.accept)
  const buttons = () => [...(list.current?.querySelectorAll<HTMLButtonElement>('[data-line]') ?? [])]
  const go = (at: number) => buttons()[Math.max(0, Math.min(at, lines.length - 1))]?.focus()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lines changed under the cursor
  useEffect(() => {
    if (place.current !== null) go(place.current)
  }, [lines])

  const keys = (event: KeyboardEvent) => {
    const at = buttons().indexOf(document.activeElement as HTMLButtonElement) // where the cursor is, if on a line
    const line = lines[at]
    if (!line || event.metaKey || event.ctrlKey || event.altKey || open) return
    place.current = at
    const acts: Record<string, () => unknown> = {
      j: () => go(at + 1),
      ArrowDown: () => go(at + 1),
      k: () => go(at - 1),
      ArrowUp: () => go(at - 1),
    }
    if (may && line.state === 'open') {
      if (line.proposal) acts.Enter = () => accept(line)
      acts.f = () => setOpen({ line, as: 'choose' })
      acts.i = () => setOpen({ line, as: 'leave' })
    }
    if (may && last) acts.u = () => undo(last)
    const act = acts[event.key]
    if (!act || busy) return
    event.preventDefault()
    act()
  }
  const done = (line: BankLine) => {
    setOpen(null)
    setLast(line)
  }
  return (
    <div className="grid gap-3 [&>*]:min-w-0">
      {may && <Help />}
      {last && may && <Last line={last} onUndo={() => undo(last)} />}
      <ul
        ref={list}
        aria-label="Mouvements"
        onKeyDown={keys}
        className="divide-y divide-line rounded-card border border-line bg-card"
      >
        {lines.map((line, at) => (
          <LineRow
            key={line.id}
            line={line}
            may={may}
            busy={busy}
            onAccept={() => {
              place.current = at
              accept(line)
            }}
            onChoose={() => setOpen({ line, as: 'choose' })}
            onLeave={() => setOpen({ line, as: 'leave' })}
            onUndo={() => undo(line)}
          />
        ))}
      </ul>
      <Suspense fallback={null}>
        {open?.as === 'choose' && <Choose line={open.line} onClose={() => setOpen(null)} onDone={done} />}
        {open?.as === 'leave' && <Leave line={open.line} onClose={() => setOpen(null)} onDone={done} />}
      </Suspense>
    </div>
  )
}
