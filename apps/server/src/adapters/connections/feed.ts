import { DATA_SETS, type DataSet } from '@voisol/contract/feed'
import { z } from 'zod'
import { type Connector, field } from './connector.ts'

export const DATA_SET_LABELS: Record<DataSet, string> = {
  operations: 'Opérations',
  participants: 'Participants',
  energies: 'Énergies par mois et par membre',
  invoices: 'Factures',
  payments: 'Règlements',
}

const isDataSet = (name: string): name is DataSet => DATA_SETS.some((one) => one === name)
export const dataSetsOf = ({ dataSets = '' }: Record<string, string>) => dataSets.split(',').filter(isDataSet)

/** Nothing is called: others come and read, with a key of the API that opens these sets alone. */
export const feed: Connector = {
  kind: 'feed',
  label: 'Flux décisionnel',
  about:
    'Laisse Power BI, Excel ou un autre outil lire vos données par une adresse et un jeton, en CSV, JSON ou Parquet.',
  can: ['feed'],
  whereTo: [],
  settings: z.object({
    dataSets: z
      .string()
      .max(200)
      .refine((text) => {
        const asked = text.split(',')
        return asked.length > 0 && asked.every(isDataSet)
      }, 'Choisissez au moins un jeu de données.'),
  }),
  fields: [
    field({
      name: 'dataSets',
      label: 'Jeux de données',
      type: 'choices',
      initial: 'operations,energies',
      options: DATA_SETS.map((value) => ({ value, label: DATA_SET_LABELS[value] })),
    }),
  ],
  refusals: () => [],
  test: async () => ({ message: 'Rien n’est à joindre\u00a0: votre outil viendra lire.', hostKey: '', facts: [] }),
}
