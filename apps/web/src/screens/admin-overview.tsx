import { useLinkAccess } from '../lib/doors.ts'
import { Card } from '../ui/card.tsx'
import { Link } from '../ui/link.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { AdminTodo } from './admin-todo.tsx'

/** What administration is made of; a place without a screen, or closed to its reader, is not shown. */
const ADMIN_SECTIONS = [
  { path: '/admin/users', title: 'Utilisateurs et rôles', what: 'Qui a accès, avec quels droits, et depuis quand.' },
  { path: '/admin/sso', title: 'Connexion unique', what: 'Se connecter avec le compte de l’entreprise.' },
  { path: '/admin/api-keys', title: 'Clés d’API', what: 'Ce que d’autres programmes peuvent lire et écrire.' },
  { path: '/admin/api-gateway', title: 'Passerelle API', what: 'Les appels, leurs limites et leurs refus.' },
  { path: '/admin/webhooks', title: 'Webhooks', what: 'Ce qui est annoncé à d’autres systèmes.' },
  { path: '/admin/esb', title: 'Flux d’événements', what: 'Chaque fait, et qui l’entend.' },
  { path: '/admin/enterprise-connections', title: 'Connexions', what: 'Dépôts, envois et échanges programmés.' },
  { path: '/admin/backups', title: 'Copies', what: 'Emporter ses données, copier l’installation, la restaurer.' },
  { path: '/admin/system-health', title: 'Santé', what: 'Base, file, machine, certificats, alertes.' },
  { path: '/admin/audit-logs', title: 'Journal d’audit', what: 'Qui a fait quoi, avant et après.' },
] as const

const LEGAL_DOCUMENTS = [
  {
    label: 'Accord de sous-traitance des données personnelles (PDF)',
    href: '/api/legal-documents/accord-de-sous-traitance',
  },
  { label: 'Sous-traitants ultérieurs (PDF)', href: '/api/legal-documents/sous-traitants' },
]

/** Cards two by two; on a telephone one list, which is read without scrolling far. */
const listClass =
  'max-sm:rounded-card max-sm:border max-sm:border-line max-sm:bg-card max-sm:shadow-card max-sm:divide-y max-sm:divide-line sm:grid sm:grid-cols-2 sm:gap-4'
const sectionClass =
  'max-sm:px-5 max-sm:py-3.5 sm:rounded-card sm:border sm:border-line sm:bg-card sm:p-5 sm:shadow-card'

/** All of administration, with what needs a hand. */
export default function AdminOverview() {
  const { shows } = useLinkAccess()
  return (
    <>
      <PageHeader
        title="Administration"
        description="Les accès, les échanges, les copies et la santé, en un coup d’œil."
      />
      <AdminTodo />
      <ul className={listClass}>
        {ADMIN_SECTIONS.filter(({ path }) => shows(path)).map(({ path, title, what }) => (
          <li key={path} className={sectionClass}>
            <Link to={path} className="text-link font-semibold">
              {title}
            </Link>
            <p className="mt-1 text-body text-ink-soft">{what}</p>
          </li>
        ))}
      </ul>
      <Card title="Documents" description="Ce qui lie l’exploitant à votre organisation." className="mt-6">
        <ul className="grid gap-2 text-body">
          {LEGAL_DOCUMENTS.map(({ label, href }) => (
            <li key={href}>
              <a href={href} className="text-link">
                {label}
              </a>
            </li>
          ))}
        </ul>
      </Card>
    </>
  )
}
