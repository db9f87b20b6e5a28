import { Link } from 'react-router'

type ContentsEntry = { id: string; label: string }

/** The parts of a page that is looked up: beside them on a large window, above them on a small one. */
export const PageContents = ({ parts }: { parts: ContentsEntry[] }) => (
  <nav
    aria-label="Dans cette page"
    data-print="hide"
    className="self-start max-lg:pt-5 max-sm:hidden lg:sticky lg:top-20 lg:py-12"
  >
    <p className="mb-2 text-sm font-medium text-ink max-lg:sr-only">Dans cette page</p>
    <ul className="text-[0.9375rem] max-lg:flex max-lg:flex-wrap max-lg:gap-x-5 lg:border-line lg:border-l">
      {parts.map(({ id, label }) => (
        <li key={id}>
          <Link
            to={{ hash: id }}
            className="inline-flex min-h-9 items-center py-1 leading-snug text-ink-soft hover:text-ink hover:underline lg:px-4"
          >
            {label}
          </Link>
        </li>
      ))}
    </ul>
  </nav>
)
