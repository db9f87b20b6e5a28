import { Link } from 'react-router'
import { screens } from '../app/screens/table.ts'

type PageEntry = { path: string; title: string }
type PageGroup = { name: string; holds: (path: string) => boolean }

const createPathMatcher =
  (...starts: string[]) =>
  (path: string) =>
    starts.some((start) => path === start || path.startsWith(`${start}/`))

/** The first group that holds a path takes it. */
const pageGroups: PageGroup[] = [
  { name: 'Accueil', holds: (path) => path === '/' || path === '/home' },
  { name: 'Produit', holds: createPathMatcher('/platform', '/features', '/pricing', '/api-docs') },
  { name: 'Solutions', holds: createPathMatcher('/solutions', '/solutions-commerciales') },
  { name: 'Expertise', holds: createPathMatcher('/expertise') },
  {
    name: 'Ressources',
    holds: createPathMatcher(
      '/resources',
      '/documentation',
      '/faq',
      '/white-papers',
      '/case-studies',
      '/blog',
      '/user-guide',
      '/newsletter',
      '/rejoindre',
    ),
  },
  { name: 'Entreprise', holds: createPathMatcher('/about', '/careers', '/partners', '/contact') },
  { name: 'Confiance', holds: createPathMatcher('/status', '/legal', '/rgpd', '/accessibilite') },
  { name: 'Autres', holds: () => true },
]

/** An address with a parameter is not a page by itself: the lists lead to it. */
const listEntries = (pages: readonly PageEntry[]): PageEntry[] =>
  [...pages, ...screens.filter(({ role, dev }) => role === 'public' && !dev)].filter(({ path }) => !path.includes(':'))

function groupEntries(all: PageEntry[]) {
  return pageGroups
    .map(({ name }) => ({
      name,
      links: all.filter(({ path }) => pageGroups.find((group) => group.holds(path))?.name === name),
    }))
    .filter(({ links }) => links.length > 0)
}

/** Every public address as a link. */
export function createTestNavPage(pages: readonly PageEntry[]) {
  const all = listEntries(pages)
  return function TestNav() {
    return (
      <div className="mx-auto max-w-[1248px] px-4 py-16 sm:px-6 lg:py-24">
        <h1 className="text-4xl font-semibold leading-tight outline-none sm:text-5xl">Toutes les pages publiques</h1>
        <p className="prose-width mt-4 text-lg text-ink-soft">
          Chaque adresse du site, tirée de la table des pages : {all.length} liens, rangés comme dans le menu.
        </p>
        <div className="mt-12 grid gap-x-8 gap-y-12 sm:grid-cols-2 lg:grid-cols-4">
          {groupEntries(all).map(({ name, links }) => (
            <section key={name}>
              <h2 className="border-local border-t-2 pt-4 text-xl font-semibold">{name}</h2>
              <ul className="mt-3">
                {links.map(({ path, title }) => (
                  <li key={path} className="border-line border-b py-2.5">
                    <Link to={path} className="text-link block font-medium">
                      {title}
                    </Link>
                    <span className="text-sm break-all text-ink-soft">{path}</span>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
      </div>
    )
  }
}
