export const buildImagePath = (id: string) => `/api/site-images/${id}`
