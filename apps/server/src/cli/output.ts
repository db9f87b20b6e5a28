/** A wrong use of a command: reported in one line, exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}

export const printLine = (text = '') => console.log(text)

/** Columns as wide as their widest cell. */
export function formatTextTable(header: string[], rows: string[][]): string {
  const all = [header, ...rows]
  const widths = header.map((_, column) => Math.max(...all.map((row) => [...(row[column] ?? '')].length)))
  const line = (row: string[]) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length))
      .join('  ')
      .trimEnd()
  return all.map(line).join('\n')
}

export const formatCliCount = (n: number, one: string, many = `${one}s`) => `${n} ${n > 1 ? many : one}`

export const HELP = `voisol <commande> [options]

  migrate                       met la base de données à jour
  seed                          remplit une base vide avec l’organisation de démonstration
  user create                   crée un compte et affiche son mot de passe
      --email <adresse> --first-name <prénom> --last-name <nom>
      --company <numéro> | --company-name <nom>   [--admin]
  user list                     liste les comptes            [--company <numéro>]
  user disable                  retire l’accès d’un compte   --email <adresse> [--company <numéro>]
  user reset-password           donne un nouveau mot de passe --email <adresse>
  user grant                    rend administrateur          --email <adresse> --company <numéro>
  site keeper [organisation]    confie le site public à une organisation (son numéro, ou l’adresse d’un de ses administrateurs),
                                ou dit laquelle le tient
  allocate <opération> <du> <au> calcule la répartition provisoire (jours AAAA-MM-JJ, fin non comprise)
  bill <opération> <mois>       contrôle un mois (AAAA-MM) avant sa facturation, sans rien écrire
      --close                   le clôt s’il est prêt            [--reason <raison>]
      --issue                   émet les documents d’un mois clos
  audit verify                  vérifie la chaîne du journal d’audit, les relevés de ses têtes gardés hors de la base, et les séries de factures
      --heads <fichier>         avec aussi un relevé reçu par e-mail
  backup                        copie l’installation, base et fichiers, chiffrée avec BACKUP_KEY
      --to <dossier>            ailleurs que dans BACKUP_FOLDER ou BACKUP_S3_*
  verify <copie>                relit une copie entière, sans base (un fichier, un nom, ou latest)
  restore <copie>               restaure une copie dans la base configurée, qui doit être vide
      --into <adresse>          dans une autre base (postgres://…)
      --lost-secret             même si SECRET_KEY n’est plus celle de la copie\u00a0: les secrets scellés sont perdus
  rotate-secrets                scelle de nouveau avec SECRET_KEY ce que scellait SECRET_KEY_PREVIOUS
  doctor                        contrôle la configuration, les disques, la base et ses index, la file, les horloges, les noms, l’e-mail,
                                les fichiers, les copies et les clés\u00a0; dit ce qui ne va pas et quoi faire
      --json                    le dit à une machine
  version                       dit la version et le commit (ou --version)
  help                          affiche cette aide

Code de sortie\u00a0: 0 réussi, 1 échec, 2 commande mal formée. La configuration est celle du serveur (.env, variables).`
