/** What a window checks before it sends a file; apart from the schemas, so that it can be read without them. */

/** Of one message. */
export const mostAttachments = 10;
/** Of one file. */
export const mostAttachmentBytes = 10 * 1024 * 1024;
/** A picture with more pixels is made smaller before it is sent: models that see look at no more of them. */
export const longestPictureSide = 1568;
/** Of a picture that is made smaller first. */
export const mostPictureBytes = 64 * 1024 * 1024;
