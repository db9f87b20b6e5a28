import { EXCLUDED_TABLES } from '../../../db/schema/company-archive/company-archive.ts'
import { formatFrenchDay } from '../../../french.ts'
import { EXCLUDED_FROM_COPY } from './company-tables.ts'

const formatEntries = (rows: Record<string, string>) =>
  Object.entries(rows)
    .map(([name, why]) => `  - ${name}\u00a0: ${why}`)
    .join('\n')

/** What whoever opens the archive should know, without Voisol. */
export const buildArchiveReadme = (
  company: string,
  day: string,
) => `Copie des données de ${company}, faite le ${formatFrenchDay(day)} par Voisol.

donnees/    une table par fichier, une ligne JSON par enregistrement (UTF-8)\u00a0; c’est ce que Voisol relit.
tableaux/   les mêmes tables en CSV (point-virgule, virgule décimale), pour un tableur. Une courbe d’un jour est
            la suite de ses watts moyens, pas par pas, séparés par des espaces\u00a0; -1 où la mesure manque.
fichiers/   les fichiers gardés, chacun dans un dossier qui porte son empreinte SHA-256.
organisation.json, personnes.json   l’organisation, et qui y a accès avec quel rôle.

Une grande table est coupée en plusieurs fichiers (.001, .002…). Les montants sont en centimes, les prix en dix-millièmes
d’euro, les énergies en Wh, les puissances en watts, les instants en temps universel, les jours ceux de Paris.

Ne s’y trouvent pas\u00a0: mots de passe, sessions, seconds facteurs, et
${formatEntries(EXCLUDED_FROM_COPY)}

S’y lisent, mais ne se reprennent pas ailleurs\u00a0:
${formatEntries(Object.fromEntries(EXCLUDED_TABLES.map(({ label, why }) => [label, why])))}

empreintes.json, signature.json   l’empreinte de chaque fichier, et la signature Ed25519 de l’installation qui l’a faite.

Pour la reprendre\u00a0: dans une organisation vide, écran «\u00a0Copies\u00a0», «\u00a0Reprendre une copie\u00a0». Voisol montre d’abord ce qu’il
reprendrait. Les identifiants sont gardés\u00a0; les personnes sont à inviter de nouveau, les clés et les secrets à saisir de nouveau.
Une archive signée dont une entrée a été changée est refusée tout entière. Une archive sans signature valable, ou signée par une
installation à laquelle celle d’arrivée ne fait pas confiance, n’apporte que les participants, les points de livraison et leurs
courbes.
`
