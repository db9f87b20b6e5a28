import { Card } from '../../../ui/card.tsx'

const RULES: [string, string][] = [
  [
    'Quotas',
    'Cinq appels par seconde et 10\u202f000 par heure, pour chaque identifiant. Voisol les compte et attend de lui-même\u00a0; au-delà, le distributeur refuse et dit quand reprendre.',
  ],
  [
    'Heure des données',
    'La veille est disponible à partir de 8\u00a0h, heure de Paris. Un compteur en retard apparaît le lendemain, parfois plus tard\u00a0: ce qui manque est redemandé.',
  ],
  [
    'Durée d’un appel',
    'Une courbe de charge se demande par sept jours au plus, des énergies quotidiennes par 365 jours. Voisol découpe les longues périodes.',
  ],
  ['Profondeur', 'Les courbes remontent à 24 mois et 15 jours, les énergies quotidiennes à 36 mois et 15 jours.'],
  [
    'Dates',
    'Des jours de Paris, le dernier exclu. Chaque mesure porte la fin de son pas\u00a0; l’interface des conventions écrit ses dates en temps universel.',
  ],
  ['Jeton', 'Un jeton d’accès vaut trois heures et demie\u00a0; il est renouvelé sans intervention.'],
]

/** What holds for every call. */
export const CallRules = () => (
  <section id="regles" className="scroll-mt-20">
    <Card title="Quotas et dates" description="Ce qui vaut pour tous les appels.">
      <dl className="grid gap-x-8 gap-y-5 text-body md:grid-cols-2">
        {RULES.map(([title, words]) => (
          <div key={title}>
            <dt className="font-medium">{title}</dt>
            <dd className="mt-0.5 text-ink-soft">{words}</dd>
          </div>
        ))}
      </dl>
    </Card>
  </section>
)
