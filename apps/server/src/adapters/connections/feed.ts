import { DATA_SET_IDS, DATA_SETS, isDataSet } from '@voisol/contract/data-sets'
import { z } from 'zod'
import { type Connector, defineConnectorField } from './connector.ts'

export const parseDataSets = ({ dataSets = '' }: Record<string, string>) => dataSets.split(',').filter(isDataSet)

/** Nothing is called: other programs read, with an API key limited to these data sets. */
export const feedConnector: Connector = {
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
    defineConnectorField({
      name: 'dataSets',
      label: 'Jeux de données',
      type: 'choices',
      initial: 'operations,energies',
      options: DATA_SET_IDS.map((value) => ({ value, label: DATA_SETS[value].label })),
    }),
  ],
  refusals: () => [],
  test: async () => ({ message: 'Rien n’est à joindre\u00a0: votre outil viendra lire.', hostKey: '', facts: [] }),
}
