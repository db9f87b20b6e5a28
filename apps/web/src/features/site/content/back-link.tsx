import ArrowLeft from 'lucide-react/icons/arrow-left'
import { Link } from '../../../components/link.tsx'
import { useContentNavigation } from './labels.tsx'

export const BackLink = () => (
  <Link
    to={useContentNavigation().linkToList}
    className="mb-2 inline-flex min-h-6 items-center gap-1.5 text-body text-ink-soft hover:text-ink [&_.lucide]:size-4"
  >
    <ArrowLeft aria-hidden="true" />
    Tous les contenus
  </Link>
)
