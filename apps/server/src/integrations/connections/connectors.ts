import { DATA_SET_IDS, DATA_SETS, isDataSet } from '@voisol/contract/data-sets'
import { z } from 'zod'
import { type Connector, defineConnectorField } from './connector.ts'
import { s3Connector } from './s3.ts'
import { sftpConnector } from './sftp.ts'
import { smtpConnector } from './smtp.ts'
import { weatherConnector } from './weather.ts'

export const parseDataSets = ({ dataSets = '' }: Record<string, string>) => dataSets.split(',').filter(isDataSet)

/** Nothing is called: other programs read, with an API key limited to these data sets. */
const feedConnector: Connector = {
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

/** The table of connectors: a new one is a file in this folder and a row here. */
export const CONNECTORS: readonly Connector[] = [
  sftpConnector,
  s3Connector,
  smtpConnector,
  feedConnector,
  weatherConnector,
]

export const findConnectorOfKind = (kind: string): Connector | undefined => CONNECTORS.find((one) => one.kind === kind)
