import Download from 'lucide-react/icons/download'
import Pencil from 'lucide-react/icons/pencil'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { formatEnergy, formatMoney, formatPercent } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { Accordion } from '../accordion.tsx'
import { Badge } from '../badge.tsx'
import { Button } from '../button.tsx'
import { Card } from '../card.tsx'
import { Checkbox } from '../checkbox.tsx'
import { DetailScreen } from '../detail-screen.tsx'
import { EmptyState } from '../empty-state.tsx'
import { Field, FormErrors } from '../field.tsx'
import { FilterChips, SearchBox } from '../filter-bar.tsx'
import { IconButton } from '../icon-button.tsx'
import { FieldFrame, Input, Select, Textarea } from '../input.tsx'
import { lazy } from '../lazy.tsx'
import { ListScreen } from '../list-screen.tsx'
import { Skeleton } from '../loading.tsx'
import { Breadcrumbs, PageHeader } from '../page-header.tsx'
import { CodeInput, PasswordInput } from '../password-input.tsx'
import { RadioGroup, Switch } from '../radio-group.tsx'
import { Steps, Wizard } from '../steps.tsx'
import type { Column } from '../table.tsx'
import { KpiTile } from '../tile.tsx'
import { Toaster } from '../toaster.tsx'
import { ActionSamples, FeedbackSamples, OverlaySamples } from './ui-actions.tsx'

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

function ListSamples() {
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

const NavigationSamples = () => (
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

const roles = [
  { value: 'producteur', label: 'Producteur' },
  { value: 'consommateur', label: 'Consommateur' },
]

type Sample = { email: string; role: string; password: string; note: string }

function SampleForm() {
  const form = useForm<Sample>({
    defaultValues: { email: 'elodie.martin', role: 'producteur', password: '', note: '' },
  })
  const { setError } = form
  useEffect(() => {
    setError('email', { message: 'Saisissez une adresse complète, par exemple nom@exemple.fr' })
  }, [setError])
  const submit = form.handleSubmit(() => toast({ title: 'Formulaire complet', variant: 'success', duration: 2000 }))
  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      <FormErrors form={form} />
      <Field form={form} name="email" label="Adresse e-mail" type="email" autoComplete="email" />
      <Field form={form} name="role" label="Rôle dans l’opération">
        {(control) => <Select {...control} options={roles} />}
      </Field>
      <Field form={form} name="password" label="Mot de passe" hint="12 caractères au moins ; une phrase convient.">
        {(control) => <PasswordInput {...control} advice />}
      </Field>
      <Field form={form} name="note" label="Message" optional>
        {(control) => <Textarea {...control} />}
      </Field>
      <div>
        <Button type="submit">Envoyer l’exemple</Button>
      </div>
    </form>
  )
}

const LooseControls = () => (
  <div className="grid gap-5">
    <SearchBox label="Rechercher un participant" value="" onSearch={() => undefined} />
    <FieldFrame id="dev-prm" label="Point de livraison" hint="14 chiffres, espaces acceptés.">
      <Input id="dev-prm" inputMode="numeric" aria-describedby="dev-prm-hint" className="tabular" />
    </FieldFrame>
    <FieldFrame id="dev-locked" label="Champ indisponible">
      <Input id="dev-locked" disabled defaultValue="Valeur d’exemple" />
    </FieldFrame>
    <FieldFrame id="dev-code" label="Code à 6 chiffres">
      <CodeInput id="dev-code" />
    </FieldFrame>
    <RadioGroup
      label="Clé de répartition"
      defaultValue="dynamique"
      options={[
        { value: 'dynamique', label: 'Dynamique', hint: 'Au prorata des consommations de chaque pas.' },
        { value: 'statique', label: 'Statique', hint: 'Des parts fixes, décidées à l’avance.' },
      ]}
    />
    <Checkbox label="J’accepte les conditions d’utilisation" hint="Requis pour créer un compte." defaultChecked />
    <Checkbox label="Case non cochée" />
    <Switch label="Recevoir le bilan mensuel par e-mail" defaultChecked />
    <Switch label="Mode discret" />
  </div>
)

const FormSamples = () => (
  <div className="grid items-start gap-5 lg:grid-cols-2">
    <Card title="Formulaire avec une erreur">
      <SampleForm />
    </Card>
    <Card title="Contrôles">
      <LooseControls />
    </Card>
  </div>
)

const ChartSamplesModule = lazy(() => import('./ui-charts.tsx').then((module) => ({ default: module.ChartSamples })))

const TileSamples = () => (
  <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
    <KpiTile
      label="Production (exemple)"
      figure={formatEnergy(12_480_000)}
      change={{ ratio: 0.12, against: 'mai 2026', good: 'up' }}
      trend={{ values: [4, 5, 7, 6, 8, 9, 8, 11], color: 'var(--data-local)' }}
    />
    <KpiTile
      label="Consommation (exemple)"
      figure={formatEnergy(842_300)}
      change={{ ratio: -0.034, against: 'mai 2026', good: 'down' }}
      trend={{ values: [9, 8, 8, null, null, 7, 6, 6], color: 'var(--data-consumption)' }}
    />
    <KpiTile
      label="Autoconsommation (exemple)"
      figure={formatPercent(0.874)}
      change={{ ratio: 0, against: 'mai 2026', good: 'up' }}
    />
    <KpiTile label="À facturer (exemple)" figure={formatMoney(1_234_567)} note="18 factures à émettre" />
  </div>
)

/** The pictures weigh more than all the rest of the page: they come after it. */
const LazyChartSamples = () => (
  <Suspense fallback={<Skeleton className="h-96 w-full" />}>
    <ChartSamplesModule />
  </Suspense>
)

const sections: { id: string; title: string; words: string; samples: ReactNode }[] = [
  {
    id: 'couleurs',
    title: 'Couleurs',
    words: 'Le thème vient de la marque de l’entreprise\u00a0; les couleurs des données ne changent jamais.',
    samples: <ColourSamples />,
  },
  {
    id: 'textes',
    title: 'Textes',
    words: 'Inter, chiffres alignés, unités plus petites que leur nombre.',
    samples: <TextSamples />,
  },
  { id: 'actions', title: 'Actions', words: 'Un bouton porte le nom de sa conséquence.', samples: <ActionSamples /> },
  {
    id: 'formulaires',
    title: 'Formulaires',
    words: 'Une colonne, le libellé au-dessus, l’erreur à côté du champ.',
    samples: <FormSamples />,
  },
  {
    id: 'indicateurs',
    title: 'Indicateurs',
    words: 'Un chiffre, son unité, son évolution en toutes lettres.',
    samples: <TileSamples />,
  },
  {
    id: 'graphiques',
    title: 'Graphiques',
    words: 'Chaque graphique a son résumé et son tableau.',
    samples: <LazyChartSamples />,
  },
  { id: 'listes', title: 'Listes', words: 'Recherche, filtres, tri, sélection et pages.', samples: <ListSamples /> },
  {
    id: 'navigation',
    title: 'Navigation',
    words: 'Onglets, questions, étapes et fil d’Ariane.',
    samples: <NavigationSamples />,
  },
  {
    id: 'fenetres',
    title: 'Fenêtres et messages',
    words: 'Ce qui s’ouvre par-dessus la page, et ce qui passe.',
    samples: <OverlaySamples />,
  },
  { id: 'etats', title: 'États', words: 'Vide, en cours, en erreur.', samples: <FeedbackSamples /> },
]

const swatches = [
  ['Primaire', 'bg-primary'],
  ['Encre primaire', 'bg-primary-ink'],
  ['Secondaire', 'bg-secondary'],
  ['Accent', 'bg-accent'],
  ['Énergie locale', 'bg-local'],
  ['Réseau', 'bg-grid'],
  ['Surplus', 'bg-surplus'],
  ['Consommation', 'bg-consumption'],
  ['Donnée manquante', 'hatch-missing'],
] as const

function ColourSamples() {
  return (
    <ul className="grid grid-cols-2 gap-4 sm:grid-cols-3 lg:grid-cols-5 xl:grid-cols-9">
      {swatches.map(([name, colour]) => (
        <li key={name} className="text-[0.8125rem]">
          <span className={`mb-1.5 block h-14 rounded-card border border-ink/10 ${colour}`} />
          {name}
        </li>
      ))}
    </ul>
  )
}

function TextSamples() {
  return (
    <div className="grid gap-3">
      <p className="text-4xl font-semibold tracking-tight">Le soleil du toit, partagé</p>
      <p className="text-2xl font-semibold tracking-tight">Titre de page</p>
      <p className="text-base font-semibold">Titre de carte</p>
      <p className="prose-width">
        Texte courant de 14 points dans l’espace de gestion, de 16 dans le portail et sur le site.{' '}
        <a className="text-link" href="#textes">
          Un lien se lit
        </a>{' '}
        sans sa couleur.
      </p>
      <p className="text-[0.8125rem] text-ink-soft">Texte d’appoint, au contraste d’au moins 4,5 pour 1.</p>
    </div>
  )
}

export default function DesignSystemPage() {
  return (
    <main className="mx-auto max-w-[1200px] px-4 py-8 sm:px-8">
      <Breadcrumbs crumbs={[{ label: 'Accueil', to: '/' }, { label: 'Système de conception' }]} />
      <div className="mt-2">
        <PageHeader
          title="Système de conception"
          description="Tous les composants de l’interface et leurs états. Les valeurs affichées sont des exemples de composants, pas des données."
          actions={
            <Button onClick={() => document.querySelector('#actions')?.scrollIntoView()}>Voir les actions</Button>
          }
        />
      </div>
      <nav aria-label="Sections" className="mb-10 flex flex-wrap gap-x-5 gap-y-1 border-y border-line py-3 text-body">
        {sections.map((section) => (
          <a key={section.id} href={`#${section.id}`} className="min-h-6 text-ink-soft hover:text-ink hover:underline">
            {section.title}
          </a>
        ))}
      </nav>
      <div className="grid gap-14 [&>*]:min-w-0">
        {sections.map((section) => (
          <section key={section.id} id={section.id} aria-labelledby={`${section.id}-titre`} className="scroll-mt-6">
            <h2 id={`${section.id}-titre`} className="text-xl font-semibold">
              {section.title}
            </h2>
            <p className="mt-1 mb-5 text-ink-soft">{section.words}</p>
            {section.samples}
          </section>
        ))}
      </div>
      <Toaster />
    </main>
  )
}
