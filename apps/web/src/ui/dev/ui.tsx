import type { ReactNode } from 'react'
import { Breadcrumbs } from '../breadcrumbs.tsx'
import { Button } from '../button.tsx'
import { PageHeader } from '../page-header.tsx'
import { Toaster } from '../toaster.tsx'
import { ActionSamples, FeedbackSamples, OverlaySamples } from './ui-actions.tsx'
import { LazyChartSamples, TileSamples } from './ui-data.tsx'
import { FormSamples } from './ui-forms.tsx'
import { ListSamples, NavigationSamples } from './ui-lists.tsx'

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
