import { useQueryClient } from '@tanstack/react-query'
import { withDe } from '@voisol/contract/elision'
import { energy } from '@voisol/contract/energy'
import { addMonths, monthOf } from '@voisol/energy/calendar'
import { computeProportionalShares } from '@voisol/energy/keys'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import GripVertical from 'lucide-react/icons/grip-vertical'
import { memo, useCallback, useState } from 'react'
import { Button } from '../../../../components/button.tsx'
import { cx } from '../../../../components/cx.ts'
import { IconButton } from '../../../../components/icon-button.tsx'
import { Input } from '../../../../components/input.tsx'
import { getTodayInParis } from '../../../../components/period/period.ts'
import { explainError } from '../../../../lib/error-text.ts'
import { query } from '../../../../lib/queries.ts'
import { toast } from '../../../../lib/toast.ts'
import type { AllocationKeyMember, MembersByDirection } from '../use-members.ts'
import {
  computeEqualShares,
  formatShareInput,
  formatSharePercent,
  getRankCellName,
  getShareCellName,
  type KeyForm,
  parseRank,
  parseShare,
  sumTypedShares,
  WHOLE_SHARE,
} from './key-form.ts'

type KeyCellProps = {
  name: string
  label: string
  value: string
  kind: 'share' | 'rank'
  onChange: (name: string, text: string) => void
  onLeave?: () => void
}

/** One share or rank; drawn again only when its own text changes, for there may be thousands. */
const KeyCell = memo(({ name, label, value, kind, onChange, onLeave }: KeyCellProps) => {
  const isWrong = (kind === 'share' ? parseShare(value) : parseRank(value)) === null
  return (
    <span className="inline-grid w-24 justify-items-end gap-0.5">
      <Input
        aria-label={label}
        inputMode={kind === 'share' ? 'decimal' : 'numeric'}
        autoComplete="off"
        placeholder={kind === 'share' ? '0' : '–'}
        value={value}
        aria-invalid={isWrong || undefined}
        onChange={(event) => onChange(name, event.target.value)}
        onBlur={onLeave}
        className="tabular text-right"
      />
      {isWrong && (
        <span className="text-right text-[0.8125rem] text-danger">
          {kind === 'share' ? 'De 0 à 100, par exemple 12,5' : 'Un rang de 1 à 1000'}
        </span>
      )}
    </span>
  )
})

/** What each consumer drew over the last twelve months, by point. */
function useLoadConsumption(operationId: string) {
  const client = useQueryClient()
  return async () => {
    const to = getTodayInParis()
    const consumedByPoint = new Map<string, number>()
    for (let page = 1, total = 1; (page - 1) * 100 < total; page++) {
      const found = await client.fetchQuery(
        query(energy.members, {
          query: { operationId, from: addMonths(monthOf(to), -12), to, direction: 'consumption', size: 100, page },
        }),
      )
      total = found.total
      for (const { id, total: wh } of found.items) consumedByPoint.set(id, (consumedByPoint.get(id) ?? 0) + wh)
    }
    return consumedByPoint
  }
}

/** Watt-hours come with three decimals; shares are made of whole weights. */
const WEIGHTS_PER_WH = 1000

type ShareFieldsProps = { operationId: string; consumers: AllocationKeyMember[]; state: KeyFormState }

/** A part of the production for each consumer, in percent. */
export function ShareFields({ operationId, consumers, state: { form, setCell, setCells } }: ShareFieldsProps) {
  const [working, setWorking] = useState(false)
  const consumption = useLoadConsumption(operationId)
  const fill = (shares: number[]) =>
    setCells(
      Object.fromEntries(consumers.map(({ id }, at) => [getShareCellName(id), formatShareInput(shares[at] ?? 0)])),
    )
  const byConsumption = async () => {
    setWorking(true)
    try {
      const consumedByPoint = await consumption()
      fill(computeProportionalShares(consumers.map(({ id }) => (consumedByPoint.get(id) ?? 0) * WEIGHTS_PER_WH)))
    } catch (error) {
      toast({ title: 'Parts non calculées', description: explainError(error), variant: 'destructive' })
    } finally {
      setWorking(false)
    }
  }
  return (
    <section aria-label="Parts" className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <ShareSumCheck
          sum={sumTypedShares(
            form.cells,
            consumers.map(({ id }) => getShareCellName(id)),
          )}
        />
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" size="small" onClick={() => fill(computeEqualShares(consumers.length))}>
            Répartir également
          </Button>
          <Button variant="secondary" size="small" loading={working} onClick={byConsumption}>
            Selon la consommation d’un an
          </Button>
        </div>
      </div>
      <ul className="rounded-card border border-line bg-card px-4 py-1">
        {consumers.map(({ id, name, detail }) => (
          <li
            key={id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t border-line py-2 first:border-0"
          >
            <span className="min-w-0 text-body">
              <span className="block font-medium">{name}</span>
              <span className="tabular block text-[0.8125rem] text-ink-soft">{detail}</span>
            </span>
            <span className="flex items-center gap-2">
              <KeyCell
                name={getShareCellName(id)}
                label={`Part ${withDe(name)}, en pour cent`}
                kind="share"
                value={form.cells[getShareCellName(id)] ?? ''}
                onChange={setCell}
              />
              <span aria-hidden="true" className="text-body text-ink-soft">
                %
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const describeSum = (sum: number) =>
  sum === WHOLE_SHARE
    ? 'toute la production est répartie'
    : sum < WHOLE_SHARE
      ? `${formatSharePercent(WHOLE_SHARE - sum)} restent à répartir et deviendraient du surplus`
      : `${formatSharePercent(sum - WHOLE_SHARE)} de trop`

/** How far the shares are from one whole, in words and as a bar. */
function ShareSumCheck({ sum, label = 'Somme des parts' }: { sum: number; label?: string }) {
  const tone = sum > WHOLE_SHARE ? 'bg-danger' : sum === WHOLE_SHARE ? 'bg-success' : 'bg-(--data-local)'
  return (
    <div className="grid min-w-56 grow gap-1.5">
      <p role="status" className={cx('text-body', sum > WHOLE_SHARE && 'text-danger')}>
        {label}&nbsp;: <span className="tabular font-semibold">{formatSharePercent(sum)}</span>, {describeSum(sum)}.
      </p>
      <div aria-hidden="true" className="h-2 overflow-hidden rounded-full bg-slate-200">
        <div
          className={cx('h-full rounded-full', tone)}
          style={{ width: `${Math.min(100, (sum / WHOLE_SHARE) * 100)}%` }}
        />
      </div>
    </div>
  )
}

/** By rank; those without one come last. */
const sortByRank = (members: AllocationKeyMember[], cells: KeyForm['cells']) => {
  const rank = ({ id }: AllocationKeyMember) => parseRank(cells[getRankCellName(id)]) ?? Number.POSITIVE_INFINITY
  return members.toSorted((a, b) => {
    const [one, other] = [rank(a), rank(b)]
    return one === other ? 0 : one - other
  })
}

const moveItem = <T,>(list: T[], from: number, to: number): T[] => {
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

const headClass = 'sticky top-0 z-10 bg-card px-3 py-2 text-[0.8125rem] font-medium text-ink-soft'
const footClass = 'sticky bottom-0 bg-card px-3 py-2 text-body shadow-[inset_0_1px_0_var(--color-line)]'

/** What each consumer gets of each producer, in percent of that producer: every column sums up to 100 % at most. */
export function GridFields({
  members,
  state: { form, setCell },
}: {
  members: MembersByDirection
  state: KeyFormState
}) {
  const { consumers, producers } = members
  const sum = (producerId: string) =>
    sumTypedShares(
      form.cells,
      consumers.map(({ id }) => getShareCellName(id, producerId)),
    )
  return (
    <section aria-label="Parts par producteur" className="grid gap-3">
      <p className="text-body text-ink-soft">
        En pour cent de chaque producteur. La somme d’une colonne ne dépasse pas 100&nbsp;%&nbsp;; ce qui manque devient
        du surplus. Des fichiers de coefficients, importés plus bas, priment sur ces parts aux instants qu’ils couvrent.
      </p>
      <div className="max-h-128 overflow-auto rounded-card border border-line bg-card">
        <table className="w-full border-collapse text-body">
          <caption className="sr-only">Part de chaque producteur pour chaque consommateur</caption>
          <thead>
            <tr>
              <th scope="col" className={cx(headClass, 'text-left')}>
                Consommateur
              </th>
              {producers.map(({ id, name }) => (
                <th key={id} scope="col" className={cx(headClass, 'text-right')}>
                  {name} (%)
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {consumers.map((consumer) => (
              <tr key={consumer.id} className="border-t border-line">
                <th scope="row" className="min-w-40 px-3 py-1.5 text-left font-medium">
                  {consumer.name}
                </th>
                {producers.map((producer) => (
                  <td key={producer.id} className="px-3 py-1.5 text-right">
                    <KeyCell
                      name={getShareCellName(consumer.id, producer.id)}
                      label={`Part ${withDe(producer.name)} pour ${consumer.name}, en pour cent`}
                      kind="share"
                      value={form.cells[getShareCellName(consumer.id, producer.id)] ?? ''}
                      onChange={setCell}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row" className={cx(footClass, 'text-left font-semibold')}>
                Somme
              </th>
              {producers.map(({ id }) => (
                <td
                  key={id}
                  className={cx(footClass, 'tabular text-right font-semibold', sum(id) > WHOLE_SHARE && 'text-danger')}
                >
                  {formatSharePercent(sum(id))}
                  {sum(id) > WHOLE_SHARE && <span className="block text-[0.8125rem]">de trop</span>}
                </td>
              ))}
            </tr>
          </tfoot>
        </table>
      </div>
    </section>
  )
}

/** What is being written; `changed` until it is saved. */
export function useKeyForm(start: KeyForm) {
  // Whoever shows the form may make `start` anew at each render: the first one is what was saved.
  const [saved] = useState(start)
  const [form, setForm] = useState(saved)
  const set = useCallback((change: Partial<KeyForm>) => setForm((old) => ({ ...old, ...change })), [])
  const setCells = useCallback(
    (cells: Record<string, string>) => setForm((old) => ({ ...old, cells: { ...old.cells, ...cells } })),
    [],
  )
  const setCell = useCallback((name: string, text: string) => setCells({ [name]: text }), [setCells])
  return { form, set, setCell, setCells, changed: form !== saved }
}
export type KeyFormState = ReturnType<typeof useKeyForm>
