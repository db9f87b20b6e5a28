import type { Study } from '@voisol/contract/projects'
import { CONSUMPTION_PROFILE_LABELS } from '@voisol/energy/model/profiles'
import { formatKwh, formatMoney, formatPercent } from '../../lib/format.ts'
import { Card } from '../../ui/card.tsx'
import { toGridPart, toLocalPart } from '../../ui/stack/parts.ts'
import { ShareBar } from '../../ui/stack/share-bar.tsx'
import { type Column, Table } from '../../ui/table.tsx'

type ParticipantRow = Study['participants'][number] & { id: string }

const columns: Column<ParticipantRow>[] = [
  {
    header: 'Candidat',
    cell: ({ name, profile, measured }) => (
      <span className="block min-w-44">
        <span className="block font-medium">{name}</span>
        <span className="block text-[0.8125rem] text-ink-soft">
          {measured ? 'Courbe reçue sur douze mois' : CONSUMPTION_PROFILE_LABELS[profile]}
        </span>
      </span>
    ),
  },
  {
    header: 'Consommation',
    align: 'end',
    cell: ({ consumed }) => <span className="whitespace-nowrap">{formatKwh(consumed / 1000, 0)}</span>,
  },
  {
    header: 'Énergie locale',
    align: 'end',
    cell: ({ allocated }) => <span className="whitespace-nowrap">{formatKwh(allocated / 1000, 0)}</span>,
  },
  {
    header: 'Couverture',
    cell: ({ allocated, consumed, coverage }) => (
      <span className="flex min-w-36 items-center gap-2">
        <ShareBar parts={[toLocalPart(allocated), toGridPart(consumed - allocated)]} className="h-2.5" />
        <span className="tabular w-12 shrink-0 text-right">{coverage === null ? '—' : formatPercent(coverage, 0)}</span>
      </span>
    ),
  },
  {
    header: 'Économie par an',
    align: 'end',
    cell: ({ savingsCents }) => <span className="whitespace-nowrap">{formatMoney(savingsCents)}</span>,
  },
]

export const StudyParticipants = ({ study }: { study: Study }) => (
  <Card title="Candidat par candidat" description="Ce que chacun recevrait et épargnerait sur une année type.">
    <Table
      label="Étude par candidat"
      rows={study.participants.map((line, at) => ({ ...line, id: String(at) }))}
      columns={columns}
    />
  </Card>
)
