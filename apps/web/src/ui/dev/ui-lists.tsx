import Download from 'lucide-react/icons/download'
import Pencil from 'lucide-react/icons/pencil'
import { useState } from 'react'
import { formatMoney } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { Accordion } from '../accordion.tsx'
import { Badge } from '../badge.tsx'
import { Button } from '../button.tsx'
import { Card } from '../card.tsx'
import { DetailScreen } from '../detail-screen.tsx'
import { EmptyState } from '../empty-state.tsx'
import { FilterChips } from '../filter-chips.tsx'
import { IconButton } from '../icon-button.tsx'
import { ListScreen } from '../list-screen.tsx'
import { Steps, Wizard } from '../steps.tsx'
import type { Column } from '../table.tsx'

type Row = { id: string; name: string; state: 'Payée' | 'En retard'; cents: number }
const all: Row[] = Array.from({ length: 14 }, (_, index) => ({
  id: `exemple-${index + 1}`,
  name: `Exemple ${String(index + 1).padStart(2, '0')}`,
  state: index % 4 === 1 ? 'En retard' : 'Payée',
  cents: ((index * 7919) % 97) * 1234 + 4200,
}))
const PAGE_SIZE = 6

const columns: Column<Row>[] = [
  { header: 'Nom', sort: 'name', cell: (row) => <span className="font-medium whitespace-nowrap">{row.name}</span> },
  { header: 'État', cell: (row) => <Badge tone={row.state === 'Payée' ? 'success' : 'warning'}>{row.state}</Badge> },
  { header: 'Montant', sort: 'cents', align: 'end', cell: (row) => formatMoney(row.cents) },
]

function filterRows(filters: Record<string, unknown>) {
  const wanted = all.filter(
    (row) =>
      row.name.toLowerCase().includes(String(filters.q ?? '').toLowerCase()) &&
      (filters.state === undefined || row.state === filters.state),
  )
  const sort = String(filters.sort ?? 'name')
  const rising = wanted.toSorted((a, b) =>
    sort.endsWith('cents') ? a.cents - b.cents : a.name.localeCompare(b.name, 'fr'),
  )
  return sort.startsWith('-') ? rising.toReversed() : rising
}

export function ListSamples() {
  const [filters, setFilters] = useState<Record<string, unknown>>({ page: 1, size: PAGE_SIZE, sort: 'name' })
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set(['exemple-2']))
  const rows = filterRows(filters)
  const from = (Number(filters.page) - 1) * PAGE_SIZE
  return (
    <ListScreen
      label="Lignes d’exemple"
      search="Rechercher un exemple"
      list={{
        items: rows.slice(from, from + PAGE_SIZE),
        total: rows.length,
        isPending: false,
        error: null,
        filters,
        setFilters: (change) => setFilters((old) => ({ ...old, ...change })),
        refetch: () => undefined,
      }}
      columns={columns}
      filters={
        <FilterChips
          label="État"
          value={typeof filters.state === 'string' ? filters.state : undefined}
          onChange={(state) => setFilters((old) => ({ ...old, state, page: 1 }))}
          options={(['Payée', 'En retard'] as const).map((state) => ({
            value: state,
            label: state,
            count: all.filter((row) => row.state === state).length,
          }))}
        />
      }
      actions={<Button onClick={() => toast({ title: 'Exemple d’action' })}>Ajouter un exemple</Button>}
      empty={
        <EmptyState
          title="Aucun exemple"
          why="La liste d’exemple est vide."
          action={<Button onClick={() => toast({ title: 'Exemple d’action' })}>Ajouter un premier exemple</Button>}
        />
      }
      rowActions={(row) => (
        <IconButton
          label={`Modifier ${row.name}`}
          icon={<Pencil aria-hidden="true" />}
          onClick={() => toast({ title: `Modifier ${row.name}` })}
        />
      )}
      selection={{
        ids,
        onChange: setIds,
        label: (row) => row.name,
        actions: (
          <Button
            size="small"
            variant="secondary"
            icon={<Download aria-hidden="true" />}
            onClick={() => toast({ title: 'Exemple d’export' })}
          >
            Exporter la sélection
          </Button>
        ),
      }}
    />
  )
}

const steps = ['Périmètre', 'Participants', 'Clé de répartition', 'Vérification']

export const NavigationSamples = () => (
  <div className="grid gap-6 [&>*]:min-w-0">
    <div>
      <DetailScreen
        header={<h3 className="mb-3 text-base font-semibold">Écran de détail (exemple)</h3>}
        facts={[
          { label: 'État', value: <Badge tone="success">Active</Badge> },
          { label: 'Participants', value: '24' },
          { label: 'Puissance', value: '36 kWc' },
          { label: 'Depuis le', value: '01/03/2026' },
        ]}
        label="Parties de l’exemple"
        tabs={[
          { value: 'apercu', label: 'Aperçu', content: <p>Contenu de l’onglet « Aperçu ».</p> },
          {
            value: 'points',
            label: 'Points de livraison',
            content: <p>Contenu de l’onglet « Points de livraison ».</p>,
          },
          { value: 'documents', label: 'Documents', content: <p>Contenu de l’onglet « Documents ».</p> },
        ]}
      />
    </div>
    <Card title="Assistant (exemple)">
      <Wizard
        steps={steps}
        current={1}
        summary={
          <p className="rounded-card bg-page p-4 text-body text-ink-soft">Récapitulatif de ce qui a déjà été choisi.</p>
        }
        actions={
          <>
            <Button variant="secondary" onClick={() => toast({ title: 'Étape précédente' })}>
              Retour
            </Button>
            <Button onClick={() => toast({ title: 'Étape suivante' })}>Continuer vers la clé</Button>
          </>
        }
      >
        <p className="text-body">Le contenu de l’étape se place ici.</p>
      </Wizard>
    </Card>
    <Card title="Étapes seules">
      <Steps steps={['Date', 'Créneau', 'Coordonnées']} current={2} />
    </Card>
    <Accordion
      entries={[
        {
          id: 'a',
          title: 'Qu’est-ce qu’une clé de répartition ?',
          content: 'La règle qui partage l’énergie produite entre les participants, pas par pas.',
        },
        {
          id: 'b',
          title: 'Que se passe-t-il la nuit ?',
          content: 'Chaque participant est alimenté par son fournisseur habituel.',
        },
      ]}
    />
  </div>
)
