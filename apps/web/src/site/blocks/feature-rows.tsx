import { MoreLink } from './actions.tsx'
import { type Feature, FeaturePoints } from './feature.tsx'
import { MarkedText } from './words.tsx'

/** One under the other, name first: quick to run through. */
export const FeatureRows = ({ items }: { items: Feature[] }) => (
  <ul className="mt-6 divide-y divide-line border-line border-y">
    {items.map(({ title, text, points, icon: Icon, more }) => (
      <li key={title} className="grid gap-x-8 gap-y-2 py-6 sm:grid-cols-[14rem_minmax(0,1fr)]">
        <div className="flex items-start gap-3">
          {Icon && <Icon aria-hidden="true" className="mt-0.5 size-6 shrink-0 text-consumption" />}
          <h3 className="text-lg font-semibold leading-snug">
            <MarkedText text={title} />
          </h3>
        </div>
        <div className="prose-width">
          <p className="leading-relaxed text-ink-soft">
            <MarkedText text={text} />
          </p>
          {points && <FeaturePoints points={points} />}
          {more && (
            <div className="mt-3">
              <MoreLink {...more} />
            </div>
          )}
        </div>
      </li>
    ))}
  </ul>
)
