import type { FlowRule } from '@voisol/contract/flow-rules'
import { flows } from '@voisol/contract/flows'
import Plus from 'lucide-react/icons/plus'
import { Suspense, useState } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Confirm } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { ListScreen } from '../../../components/list-screen.tsx'
import type { Column } from '../../../components/table.tsx'
import { Can, withAccess } from '../../../lib/can.tsx'
import { formatNumber } from '../../../lib/format.ts'
import { useAction, useList } from '../../../lib/queries.ts'
import { DESTINATION_LABELS } from './labels.ts'

const RuleDialog = lazy(() => import('./rule-form.tsx'))
const softTextClass = 'block text-[0.8125rem] break-all text-ink-soft'

const columns: Column<FlowRule>[] = [
  {
    header: 'Règle',
    card: 'title',
    sort: 'name',
    cell: ({ name, event }) => (
      <span className="block">
        <span className="font-medium">{name}</span>
        <code className={softTextClass}>{event}</code>
      </span>
    ),
  },
  {
    header: 'Destination',
    card: 'primary',
    cell: ({ destination, destinationLabel }) => (
      <span className="block">
        {DESTINATION_LABELS[destination.kind]}
        <span className={softTextClass}>{destinationLabel || 'N’existe plus'}</span>
      </span>
    ),
  },
  {
    header: 'État',
    card: 'primary',
    cell: ({ active }) => <Badge tone={active ? 'success' : 'neutral'}>{active ? 'Active' : 'Suspendue'}</Badge>,
  },
  { header: 'Envoyés, 30 jours', align: 'end', cell: ({ sent }) => formatNumber(sent) },
  { header: 'Échoués', align: 'end', cell: ({ failed }) => formatNumber(failed) },
]

const RemoveRule = ({ rule, onClose }: { rule: FlowRule; onClose: () => void }) => {
  const remove = useAction(flows.removeRule, [flows.rules])
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={`Supprimer «\u00a0${rule.name}\u00a0»\u00a0?`}
      description="Elle n’enverra plus rien, et la trace de ses envois est effacée."
      action="Supprimer la règle"
      onConfirm={() => remove.run({ params: { id: rule.id } })}
    />
  )
}

function RuleActions({ rule }: { rule: FlowRule }) {
  const [panel, setPanel] = useState<'edit' | 'remove'>()
  const close = () => setPanel(undefined)
  return (
    <Can call={flows.changeRule}>
      <Button variant="quiet" size="small" aria-label={`Modifier ${rule.name}`} onClick={() => setPanel('edit')}>
        Modifier
      </Button>
      <Button variant="quiet" size="small" aria-label={`Supprimer ${rule.name}`} onClick={() => setPanel('remove')}>
        Supprimer
      </Button>
      <Suspense fallback={null}>{panel === 'edit' && <RuleDialog rule={rule} onClose={close} />}</Suspense>
      {panel === 'remove' && <RemoveRule rule={rule} onClose={close} />}
    </Can>
  )
}

export const NewRuleButton = withAccess(flows.addRule, ({ label = 'Créer une règle' }: { label?: string }) => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button icon={<Plus aria-hidden="true" />} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Suspense fallback={null}>{open && <RuleDialog onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
})

export function RuleList() {
  const list = useList(flows.rules)
  return (
    <ListScreen
      list={list}
      label="Règles de routage"
      search="Rechercher une règle"
      columns={columns}
      rowActions={(rule) => <RuleActions rule={rule} />}
      empty={
        <EmptyState
          title="Aucune règle"
          why="Une règle fait suivre un événement à un webhook ou à une personne, quand ses conditions sont remplies, avec les seuls champs choisis."
          action={<NewRuleButton label="Créer une première règle" />}
        />
      }
    />
  )
}
