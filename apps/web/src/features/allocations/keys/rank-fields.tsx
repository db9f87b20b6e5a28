import { withDe } from '@voisol/contract/elision'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import GripVertical from 'lucide-react/icons/grip-vertical'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import type { AllocationKeyMember } from '../use-members.ts'
import { KeyCell } from './cell.tsx'
import { getRankCellName, type KeyForm, parseRank } from './form.ts'
import type { KeyFormState } from './use-key-form.ts'

/** By rank; those without one come last. */
export const sortByRank = (members: AllocationKeyMember[], cells: KeyForm['cells']) => {
  const rank = ({ id }: AllocationKeyMember) => parseRank(cells[getRankCellName(id)]) ?? Number.POSITIVE_INFINITY
  return members.toSorted((a, b) => {
    const [one, other] = [rank(a), rank(b)]
    return one === other ? 0 : one - other
  })
}

export const moveItem = <T,>(list: T[], from: number, to: number): T[] => {
  const rest = list.toSpliced(from, 1)
  return rest.toSpliced(to, 0, ...list.slice(from, from + 1))
}

type RowProps = {
  member: AllocationKeyMember
  at: number
  last: boolean
  rank: string
  dragged: boolean
  setCell: KeyFormState['setCell']
  onLeave: () => void
  onMove: (to: number) => void
  onDrag: (dragging: boolean) => void
  onDrop: () => void
}

const RankRow = ({ member, at, last, rank, dragged, setCell, onLeave, onMove, onDrag, onDrop }: RowProps) => (
  <li
    draggable
    onDragStart={() => onDrag(true)}
    onDragEnd={() => onDrag(false)}
    onDragOver={(event) => event.preventDefault()}
    onDrop={onDrop}
    className={cx('flex items-center gap-3 border-t border-line py-2 first:border-0', dragged && 'opacity-50')}
  >
    <GripVertical aria-hidden="true" className="size-4 shrink-0 cursor-grab text-ink-muted" />
    <span className="min-w-0 grow text-body">
      <span className="block font-medium">{member.name}</span>
      <span className="tabular block text-[0.8125rem] text-ink-soft">{member.detail}</span>
    </span>
    <span className="hidden sm:inline-flex">
      <IconButton
        label={`Monter ${member.name}`}
        icon={<ArrowUp />}
        disabled={at === 0}
        onClick={() => onMove(at - 1)}
      />
      <IconButton
        label={`Descendre ${member.name}`}
        icon={<ArrowDown />}
        disabled={last}
        onClick={() => onMove(at + 1)}
      />
    </span>
    <KeyCell
      name={getRankCellName(member.id)}
      label={`Rang ${withDe(member.name)}`}
      kind="rank"
      value={rank}
      onChange={setCell}
      onLeave={onLeave}
    />
  </li>
)

type RankFieldsProps = { consumers: AllocationKeyMember[]; state: KeyFormState }

/** Who is served first: by dragging, by the arrows or by typing the rank; equal ranks share. */
export function RankFields({ consumers, state: { form, setCell, setCells } }: RankFieldsProps) {
  const [order, setOrder] = useState(() => sortByRank(consumers, form.cells))
  const [dragged, setDragged] = useState<number | null>(null)
  const applyOrder = (list: AllocationKeyMember[]) => {
    setOrder(list)
    setCells(Object.fromEntries(list.map(({ id }, at) => [getRankCellName(id), String(at + 1)])))
  }
  return (
    <section aria-label="Rangs" className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <p className="min-w-56 grow text-body text-ink-soft">
          1 est servi le premier. Deux consommateurs du même rang se partagent l’énergie selon leur consommation.
          Glissez une ligne, ou écrivez les rangs.
        </p>
        <Button variant="secondary" size="small" onClick={() => applyOrder(order)}>
          Numéroter dans cet ordre
        </Button>
      </div>
      <ul className="rounded-card border border-line bg-card px-4 py-1">
        {order.map((member, at) => (
          <RankRow
            key={member.id}
            member={member}
            at={at}
            last={at === order.length - 1}
            rank={form.cells[getRankCellName(member.id)] ?? ''}
            dragged={dragged === at}
            setCell={setCell}
            onLeave={() => setOrder(sortByRank(order, form.cells))}
            onMove={(to) => applyOrder(moveItem(order, at, to))}
            onDrag={(dragging) => setDragged(dragging ? at : null)}
            onDrop={() => {
              if (dragged !== null) applyOrder(moveItem(order, dragged, at))
            }}
          />
        ))}
      </ul>
    </section>
  )
}
