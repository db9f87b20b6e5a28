import ExternalLink from 'lucide-react/icons/external-link'

/** Opens beside the desk, so that nothing written there is left. */
export const PublicLink = ({ path, title }: { path: string; title: string }) => (
  <a href={path} target="_blank" rel="noreferrer" className="relative inline-flex min-h-6 items-center gap-1 text-link">
    <span className="max-w-52 truncate sm:max-w-64">{path}</span>
    <ExternalLink aria-hidden="true" className="size-3.5 shrink-0" />
    <span className="sr-only"> ({title} sur le site, nouvel onglet)</span>
  </a>
)
