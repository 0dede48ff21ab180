//! A network and its words, read from a file.

use super::error::ValueNetError;
use super::words::Words;
use rten::{Dimension, Model, ModelOptions, NodeId, RunOptions, ThreadPool, op_registry};
use rten_tensor::{Tensor, prelude::*};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// The largest file that is read, in bytes.
const MOST_BYTES: u64 = 1 << 30;

/// The entry of the metadata that has the words.
const ENTRY: &str = "gdlr";

/// A neural network that evaluates the states of a game.
pub struct ValueNet {
    words: Words,
    model: Model,
    /// The axes of the observation of one position.
    axes: Vec<usize>,
    observation: NodeId,
    policy: NodeId,
    goals: NodeId,
}

impl ValueNet {
    /// Reads a value net from a file.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, when it is no ONNX file of this shape, or when it has operations
    /// that value nets do without, such as loops.
    pub fn open(path: &Path) -> Result<ValueNet, ValueNetError> {
        let unreadable = |error: std::io::Error| ValueNetError::Unreadable(error.to_string());
        let size = std::fs::metadata(path).map_err(unreadable)?.len();
        if size > MOST_BYTES {
            let what = format!("{} MiB are more than {} MiB", size >> 20, MOST_BYTES >> 20);
            return Err(ValueNetError::Unreadable(what));
        }
        ValueNet::read(std::fs::read(path).map_err(unreadable)?)
    }

    /// Reads a value net from the bytes of a file.
    ///
    /// # Errors
    ///
    /// As for [`open`](ValueNet::open).
    pub fn read(bytes: Vec<u8>) -> Result<ValueNet, ValueNetError> {
        let mut options = ModelOptions::with_ops(operations());
        options.prepack_weights(true);
        let no_network = |error: rten::LoadError| ValueNetError::NoNetwork(error.to_string());
        let model = options.load(bytes).map_err(no_network)?;
        let words = model.metadata().get(ENTRY).ok_or(ValueNetError::NoWords)?;
        let words: Words =
            serde_json::from_str(words).map_err(|error| ValueNetError::Words(error.to_string()))?;
        if words.roles.is_empty() || words.actions.is_empty() || words.observation.is_empty() {
            let why = "`roles`, `actions` and `observation` have one word at least";
            return Err(ValueNetError::Words(why.to_owned()));
        }
        let find = |name: &'static str, among: &[NodeId]| {
            let id = model.find_node(name).filter(|id| among.contains(id));
            id.ok_or(ValueNetError::Missing(name))
        };
        let observation = find("observation", model.input_ids())?;
        let policy = find("policy", model.output_ids())?;
        let goals = find("goals", model.output_ids())?;
        let axes = axes(&model, observation, words.observation.len())?;
        let net = ValueNet { words, model, axes, observation, policy, goals };
        // What the file says of outputs need not be so.
        net.evaluate(vec![0.0; 2 * net.places()])?;
        Ok(net)
    }

    /// The words of its columns.
    pub fn words(&self) -> &Words {
        &self.words
    }

    /// How many places the observation of one position has.
    pub fn places(&self) -> usize {
        self.words.observation.len()
    }

    /// Evaluates positions, on a thread of its own. It takes their observations, one after the other, and
    /// gives the rows of `policy` and those of `goals`, one after the other.
    ///
    /// # Errors
    ///
    /// When the network does not run, or when its outputs have another size than its words.
    pub fn evaluate(&self, observations: Vec<f32>) -> Result<(Vec<f32>, Vec<f32>), ValueNetError> {
        self.evaluate_on(&Arc::new(ThreadPool::with_num_threads(1)), observations)
    }

    /// The same on threads that are there.
    pub(super) fn evaluate_on(
        &self,
        threads: &Arc<ThreadPool>,
        observations: Vec<f32>,
    ) -> Result<(Vec<f32>, Vec<f32>), ValueNetError> {
        let positions = observations.len() / self.places();
        let shape: Vec<usize> = std::iter::once(positions).chain(self.axes.clone()).collect();
        let inputs = vec![(self.observation, Tensor::from_data(&shape[..], observations).into())];
        let options = RunOptions::default().with_thread_pool(Some(threads.clone()));
        let outputs = self.model.run_n(inputs, [self.policy, self.goals], Some(options));
        let [policy, goals] = outputs.map_err(|error| ValueNetError::Run(error.to_string()))?;
        let rows = |name, value: rten::Value, columns: usize| {
            let tensor: Result<Tensor<f32>, _> = value.try_into();
            let tensor =
                tensor.map_err(|_| ValueNetError::Run(format!("`{name}` is not of f32")))?;
            match tensor.shape() == [positions, columns] {
                true => Ok(tensor.into_data()),
                false => Err(ValueNetError::Shape(name, columns, columns_of(tensor.shape()))),
            }
        };
        let policy = rows("policy", policy, self.words.actions.len())?;
        Ok((policy, rows("goals", goals, self.words.roles.len())?))
    }
}

impl fmt::Debug for ValueNet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ValueNet").field("axes", &self.axes).finish_non_exhaustive()
    }
}

/// The axes of the observation of one position, whose product is the number of words for it.
fn axes(model: &Model, input: NodeId, words: usize) -> Result<Vec<usize>, ValueNetError> {
    let wrong = |found: String| ValueNetError::Shape("observation", words, found);
    let shape = model.node_info(input).and_then(|info| info.shape());
    let shape = shape.ok_or_else(|| wrong("no shape".to_owned()))?;
    let sizes = shape.iter().skip(1).map(|axis| match axis {
        Dimension::Fixed(size) => Ok(*size),
        Dimension::Symbolic(name) => Err(wrong(format!("an axis `{name}` of any size"))),
    });
    let sizes = sizes.collect::<Result<Vec<usize>, ValueNetError>>()?;
    let places = sizes.iter().try_fold(1usize, |places, &size| places.checked_mul(size));
    match (shape.first(), places) {
        (Some(Dimension::Symbolic(_)), Some(places)) if places == words && !sizes.is_empty() => {
            Ok(sizes)
        }
        (Some(Dimension::Fixed(size)), _) => {
            Err(wrong(format!("room for {size} positions at once, where any number must fit")))
        }
        _ => Err(wrong(columns_of(&[&[0], &sizes[..]].concat()))),
    }
}

/// The shape of a row in words.
fn columns_of(shape: &[usize]) -> String {
    let sizes: Vec<String> = shape.iter().skip(1).map(usize::to_string).collect();
    format!("{} columns", sizes.join(" x "))
}

/// The operations of networks that evaluate boards. Loops, and all that makes large tensors of small
/// files, are left out.
fn operations() -> rten::OpRegistry {
    op_registry!(
        Abs,
        Add,
        AveragePool,
        BatchNormalization,
        Cast,
        Clip,
        Concat,
        Conv,
        Div,
        Elu,
        Equal,
        Erf,
        Exp,
        Flatten,
        Gather,
        Gelu,
        Gemm,
        GlobalAveragePool,
        Greater,
        HardSigmoid,
        HardSwish,
        Identity,
        InstanceNormalization,
        LayerNormalization,
        LeakyRelu,
        Less,
        Log,
        LogSoftmax,
        MatMul,
        Max,
        MaxPool,
        Mean,
        Min,
        Mul,
        Neg,
        Not,
        Pow,
        PRelu,
        Reciprocal,
        ReduceMax,
        ReduceMean,
        ReduceMin,
        ReduceSum,
        Relu,
        Reshape,
        Shape,
        Sigmoid,
        Slice,
        Softmax,
        Softplus,
        Split,
        Sqrt,
        Squeeze,
        Sub,
        Sum,
        Tanh,
        Transpose,
        Unsqueeze,
        Where
    )
}
