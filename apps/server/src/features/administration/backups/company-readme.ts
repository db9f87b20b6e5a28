import { frenchDay } from '../../../french.ts'
import { LEFT_OUT, ONLY_READ } from './company-tables.ts'

const list = (rows: Record<string, string>) =>
  Object.entries(rows)
    .map(([name, why]) => `  - ${name} : ${why}`)
    .join('\n')

/** What whoever opens the archive should know, without Voisol. */
export const readmeOf = (
  company: string,
  day: string,
) => `Copie des données de ${company}, faite le ${frenchDay(day)} par Voisol.

donnees/    une table par fichier, une ligne JSON par enregistrement (UTF-8) ; c’est ce que Voisol relit.
tableaux/   les mêmes tables en CSV (point-virgule, virgule décimale), pour un tableur. Une courbe d’un jour est
            la suite de ses watts moyens, pas par pas, séparés par des espaces ; -1 où la mesure manque.
fichiers/   les fichiers gardés, chacun dans un dossier qui porte son empreinte SHA-256.
organisation.json, personnes.json   l’organisation, et qui y a accès avec quel rôle.

Une grande table est coupée en plusieurs fichiers (.001, .002…). Les montants sont en centimes, les prix en dix-millièmes
d’euro, les énergies en Wh, les puissances en watts, les instants en temps universel, les jours ceux de Paris.

Ne s’y trouvent pas : mots de passe, sessions, seconds facteurs, et
${list(LEFT_OUT)}

S’y lisent, mais ne se reprennent pas ailleurs :
${list(ONLY_READ)}

Pour la reprendre : dans une organisation vide, écran « Copies », « Reprendre une copie ». Les identifiants sont gardés ;
les personnes sont à inviter de nouveau, les clés et les secrets à saisir de nouveau.
`
