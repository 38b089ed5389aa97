// Settings of @hey-api/openapi-ts. Node needs the extensions of imported files.

export default {
  input: "openapi.json",
  output: { path: "hey", module: { extension: ".js" } },
  plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
};
