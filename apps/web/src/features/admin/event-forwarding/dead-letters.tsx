import { type DeadLetter, flows } from '@voisol/contract/flows'
import { useState } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { CodePanel } from '../../../components/code/code-block.tsx'
import { Confirm } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { FilterChips } from '../../../components/filter-bar.tsx'
import { ListScreen } from '../../../components/list-screen.tsx'
import type { Column } from '../../../components/table.tsx'
import { useCan } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { formatCount, formatDateTime, formatNumber } from '../../../lib/format.ts'
import { useAction, useList } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { DEAD_KIND_LABELS } from './labels.ts'

const DEAD_KIND_OPTIONS = Object.entries(DEAD_KIND_LABELS).map(([value, label]) => ({ value, label }))
const columns: Column<DeadLetter>[] = [
  {
    header: 'Envoi',
    card: 'title',
    cell: ({ what, to }) => (
      <span className="block">
        <span className="font-medium">{what}</span>
        {to && <span className="block text-[0.8125rem] break-all text-ink-soft">{to}</span>}
      </span>
    ),
  },
  { header: 'Nature', card: 'primary', cell: ({ kind }) => <Badge>{DEAD_KIND_LABELS[kind]}</Badge> },
  { header: 'Cause', card: 'secondary', cell: ({ cause }) => cause },
  { header: 'Depuis', card: 'primary', cell: ({ at }) => formatDateTime(at) },
  { header: 'Essais', align: 'end', cell: ({ attempts }) => formatNumber(attempts) },
]

function DeadLetterActions({ chosen, onDone }: { chosen: DeadLetter[]; onDone: () => void }) {
  const [isConfirming, setIsConfirming] = useState(false)
  const replay = useAction(flows.replay, [flows.dead, flows.overview])
  const discard = useAction(flows.discard, [flows.dead, flows.overview])
  const body = { items: chosen.map(({ kind, id }) => ({ kind, id })) }
  const replaySelected = async () => {
    try {
      const { count } = await replay.run({ body })
      toast({ title: formatCount(count, 'envoi rejoué', 'envois rejoués'), variant: 'success' })
      onDone()
    } catch (error) {
      toast({ title: 'Rien n’a été rejoué', description: explainError(error), variant: 'destructive' })
    }
  }
  return (
    <>
      <Button size="small" loading={replay.isPending} onClick={() => void replaySelected()}>
        Rejouer
      </Button>
      <Button size="small" variant="secondary" onClick={() => setIsConfirming(true)}>
        Écarter
      </Button>
      {isConfirming && (
        <Confirm
          open
          onOpenChange={() => setIsConfirming(false)}
          title={`Écarter ${formatCount(chosen.length, 'envoi')}\u00a0?`}
          description="Ce qui est écarté ne partira pas. Le journal d’audit garde qui l’a décidé."
          action="Écarter"
          onConfirm={async () => {
            await discard.run({ body })
            onDone()
          }}
        />
      )}
    </>
  )
}

/** What did not leave, whatever carried it: why, what it held, and what to do about it. */
export function DeadLetters() {
  const list = useList(flows.dead)
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const canReplay = useCan()(flows.replay)
  const chosen = list.items.filter(({ id }) => ids.has(id))
  return (
    <ListScreen
      list={list}
      label="Envois échoués"
      columns={columns}
      filters={
        <FilterChips
          label="Nature"
          options={DEAD_KIND_OPTIONS}
          value={list.filters.kind}
          onChange={(kind) => list.setFilters({ kind: kind as DeadLetter['kind'] | undefined, page: 1 })} // one of the options
        />
      }
      selection={
        canReplay
          ? {
              ids,
              onChange: setIds,
              label: ({ what }) => what,
              actions: <DeadLetterActions chosen={chosen} onDone={() => setIds(new Set())} />,
            }
          : undefined
      }
      detail={{
        label: ({ what }) => `Contenu\u00a0: ${what}`,
        content: ({ payload }) => <CodePanel label="Contenu" code={payload || '—'} language="json" />,
      }}
      empty={
        <EmptyState
          title="Aucun envoi échoué"
          why="Les envois qu’un webhook, un e-mail, une règle ou une tâche n’a pas pu faire paraissent ici, avec leur cause."
          because="all-well"
        />
      }
    />
  )
}
