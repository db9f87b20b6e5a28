import { writeFileSync } from 'node:fs'
import { SECTIONS } from '../apps/server/src/config.ts'
import { inRoot } from './lib/run.mjs'

const INTRODUCTION = `# Configuration

Cette page est écrite par \`npm run docs:configuration\` d’après \`apps/server/src/config.ts\`\u00a0: ne la modifiez pas à la main.

Toute la configuration passe par des variables d’environnement, données au processus ou écrites dans un fichier \`.env\` du dossier où la commande est lancée\u00a0; [\`.env.example\`](../.env.example) en donne un modèle, avec aussi celles des fichiers Compose. Au démarrage, toutes les variables fautives sont nommées d’un coup.

En production (\`NODE_ENV=production\`), quatre variables sont exigées\u00a0: \`SECRET_KEY\`, \`PUBLIC_URL\`, \`SMTP_URL\` et \`DATABASE_URL\`. Donnez aussi \`BACKUP_KEY\`, sans laquelle rien n’est copié, et \`TRUST_PROXY\` derrière un relais. L’installation pas à pas est dans [Exploiter Voisol](operations.md#installer).
`

/** In a cell of a table a vertical bar would begin the next one. */
const toCell = (text) => text.replaceAll('|', '\\|')

function describeDefault(schema) {
  const preset = schema.safeParse(undefined).data
  if (preset !== undefined && String(preset) !== '') return `\`${preset}\``
  return schema.meta()?.fallback ?? 'aucun'
}

function toRow([name, schema]) {
  const description = schema.meta()?.description
  if (!description) throw new Error(`${name} has no description in apps/server/src/config.ts`)
  return `| \`${name}\` | ${toCell(describeDefault(schema))} | ${toCell(description)} |`
}

function toSection([title, variables]) {
  const rows = Object.entries(variables).map(toRow)
  return [`## ${title}`, '', '| Variable | Défaut | Rôle |', '|---|---|---|', ...rows].join('\n')
}

/** The text of docs/configuration.md, from the schema of the configuration. */
export const buildConfigurationPage = (sections = SECTIONS) =>
  `${[INTRODUCTION.trim(), ...Object.entries(sections).map(toSection)].join('\n\n')}\n`

if (import.meta.main) writeFileSync(inRoot('docs/configuration.md'), buildConfigurationPage())
