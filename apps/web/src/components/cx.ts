/** Joins the class names that are present. */
export const cx = (...names: (string | false | null | undefined)[]) => names.filter(Boolean).join(' ')
