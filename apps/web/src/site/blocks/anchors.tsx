import { Link } from 'react-router'

export type AnchorsContent = { kind: 'anchors'; items: { id: string; label: string }[] }

/** The way to the parts of a long page. */
export const AnchorLinks = ({ items }: AnchorsContent) => (
  <nav aria-label="Dans cette page" data-print="hide" className="border-line border-y bg-white">
    <ul className="mx-auto flex max-w-[1248px] flex-wrap gap-x-8 px-4 py-2 sm:px-6">
      {items.map(({ id, label }) => (
        <li key={id}>
          <Link
            to={{ hash: id }}
            className="inline-flex min-h-11 items-center font-medium text-ink-soft hover:text-ink hover:underline"
          >
            {label}
          </Link>
        </li>
      ))}
    </ul>
  </nav>
)
